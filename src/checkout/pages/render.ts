import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { Eta } from 'eta';
import type { AssetUrls } from './assets.ts';
import type { BrandView } from './brand-view.ts';

const FOLDER = join(import.meta.dirname, 'templates');
/** Every `<%= … %>` is escaped; `<%~ … %>` is only used to include templates. */
const eta = new Eta({ autoEscape: true });
for (const file of readdirSync(FOLDER))
  eta.loadTemplate(`@${parse(file).name}`, readFileSync(join(FOLDER, file), 'utf8'));

/** What the layout of every page shows. */
export type Frame = {
  readonly title: string;
  readonly assets: AssetUrls;
  readonly livemode: boolean;
  /** For browsers without JavaScript: seconds until they reload the page, or seconds and a URL to go to. */
  readonly refresh: string | null;
  /** Of the merchant; undefined on pages of none. */
  readonly brand?: BrandView;
  /** The URL of the script that talks to the payer's wallet. */
  readonly walletScript?: string;
};

/** Renders a template, which was compiled when the process started. Everything in `data` is escaped. */
export const render = (
  template: 'payment' | 'link' | 'subscription' | 'refund' | 'receipt' | 'message',
  data: Frame & Readonly<Record<string, unknown>>,
): string => eta.render(`@${template}`, data);
