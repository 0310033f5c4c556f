import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../ports/page.ts';

/** Addresses of the static files, each with the hash of its content, so that a browser may keep it for ever. */
export type AssetUrls = { readonly style: string; readonly script: string; readonly icon: string };

const FOLDER = join(import.meta.dirname, 'assets');
const HASH_LENGTH = 12;
/** The style is written in parts and served as one, in this order: later rules win. */
const STYLE = ['style-frame.css', 'style-state.css', 'style-pay.css', 'style-link-and-desk.css'];

type Asset = {
  readonly name: string;
  readonly ending: string;
  readonly files: readonly string[];
  readonly type: string;
};

const ASSETS: Readonly<Record<keyof AssetUrls, Asset>> = {
  style: { name: 'checkout', ending: 'css', files: STYLE, type: 'text/css; charset=utf-8' },
  script: { name: 'checkout', ending: 'js', files: ['checkout.js'], type: 'text/javascript; charset=utf-8' },
  icon: { name: 'favicon', ending: 'svg', files: ['favicon.svg'], type: 'image/svg+xml' },
};

/** The static files of the pages, read once, and where to find them below `base`. */
export function loadAssets(base: string): { readonly urls: AssetUrls; readonly pages: readonly Page[] } {
  const served = Object.entries(ASSETS).map(([key, { name, ending, files, type }]) => {
    const body = Buffer.concat(files.map((file) => readFileSync(join(FOLDER, file))));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH);
    const path = `/assets/${name}.${hash}.${ending}`;
    const headers = { 'cache-control': 'public, max-age=31536000, immutable', etag: `"${hash}"` };
    const page: Page = { method: 'GET', path, handle: async () => ({ status: 200, type, body, headers }) };
    return { key, url: `${base}${path}`, page };
  });
  const urls = Object.fromEntries(served.map(({ key, url }) => [key, url])) as AssetUrls;
  return { urls, pages: served.map(({ page }) => page) };
}
