import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { Eta } from 'eta';
import { withoutHidden } from '../../lib/shown-text.ts';
import type { Assets } from './assets.ts';
import type { BrandView } from './brand-view.ts';
import type { EmbedView } from './embed.ts';
import type { Language, LanguageChoice } from './languages.ts';
import { escaped, type Words } from './words.ts';

const FOLDER = join(import.meta.dirname, 'templates');
/**
 * Every `<%= … %>` is escaped, and tidied of what hides in a text or turns its surroundings; of null it says nothing.
 * `<%~ … %>` only includes templates and shows a message's markup, which `words.ts` escapes. Every template gets
 * `words`, and says messages by `say` and `markup`.
 */
const eta = new Eta({
  autoEscape: true,
  escapeFunction: (value) => escaped(withoutHidden(String(value ?? ''))),
  functionHeader: 'const { say, markup } = it.words;',
});
for (const file of readdirSync(FOLDER))
  eta.loadTemplate(`@${parse(file).name}`, readFileSync(join(FOLDER, file), 'utf8'));

/** What the layout of every page shows. */
export type Frame = {
  readonly title: string;
  readonly assets: Assets['urls'];
  readonly livemode: boolean;
  readonly words: Words;
  /** The payer's time zone, as their browser calls it. */
  readonly zone: string;
  /** The URLs of what scripts say in the language. */
  readonly spoken: Assets['spoken'][Language];
  /** The style sheet with the letters of the language; null where every device has them. */
  readonly letters: string | null;
  readonly languages: readonly LanguageChoice[];
  /** The path of the pages. */
  readonly base: string;
  /** For browsers without JavaScript: seconds until they reload the page, or seconds and a URL to go to. */
  readonly refresh: string | null;
  /** Of the merchant; undefined on pages of none. */
  readonly brand?: BrandView;
  /** The URL of the script that talks to the payer's wallet. */
  readonly walletScript?: string;
  /** For a page that an element of ours shows in a shop's page. */
  readonly embed?: EmbedView | null;
};

/** What the HTML of a mail shows: it has no layout of pages, and loads nothing. */
export const renderMail = (data: { readonly words: Words; readonly view: object }): string => eta.render('@mail', data);

/** Renders a template, which was compiled when the process started. Everything in `data` is escaped. */
export const render = (
  template: 'payment' | 'link' | 'plan' | 'customer' | 'subscription' | 'refund' | 'receipt' | 'verify' | 'message',
  data: Frame & Readonly<Record<string, unknown>>,
): string => eta.render(`@${template}`, data);
