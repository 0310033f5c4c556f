import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Page } from '../../ports/page.ts';

/** Addresses of the static files, each with the hash of its content, so that a browser may keep it for ever. */
export type AssetUrls = { readonly style: string; readonly script: string; readonly icon: string };

const FOLDER = join(import.meta.dirname, 'assets');
const HASH_LENGTH = 12;
const FILES = {
  style: { file: 'checkout.css', type: 'text/css; charset=utf-8' },
  script: { file: 'checkout.js', type: 'text/javascript; charset=utf-8' },
  icon: { file: 'favicon.svg', type: 'image/svg+xml' },
} as const satisfies Record<keyof AssetUrls, { file: string; type: string }>;

/** The static files of the pages, read once, and where to find them below `base`. */
export function loadAssets(base: string): { readonly urls: AssetUrls; readonly pages: readonly Page[] } {
  const served = Object.entries(FILES).map(([name, { file, type }]) => {
    const body = readFileSync(join(FOLDER, file));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH);
    const path = `/assets/${parse(file).name}.${hash}${parse(file).ext}`;
    const headers = { 'cache-control': 'public, max-age=31536000, immutable', etag: `"${hash}"` };
    const page: Page = { method: 'GET', path, handle: async () => ({ status: 200, type, body, headers }) };
    return { name, url: `${base}${path}`, page };
  });
  const urls = Object.fromEntries(served.map(({ name, url }) => [name, url])) as AssetUrls;
  return { urls, pages: served.map(({ page }) => page) };
}
