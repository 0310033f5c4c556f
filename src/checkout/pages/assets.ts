import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../ports/page.ts';

/** URLs of the static files, each with the hash of its content, so that browsers may cache it for ever. */
export type AssetUrls = {
  readonly style: string;
  readonly script: string;
  readonly subscription: string;
  readonly refund: string;
  readonly pay: string;
  readonly icon: string;
};

const FOLDER = join(import.meta.dirname, 'assets');
const HASH_LENGTH = 12;
/** The style sheet is written in parts and served as one file, in this order: later rules win. */
const STYLE = [
  'style-frame.css',
  'style-state.css',
  'style-pay.css',
  'style-link-and-desk.css',
  'style-subscription.css',
  'style-receipt.css',
];
const SCRIPT = 'text/javascript; charset=utf-8';

type Asset = {
  /** Its key in `AssetUrls`; null when only scripts import it. */
  readonly key: keyof AssetUrls | null;
  readonly name: string;
  readonly ending: string;
  readonly files: readonly string[];
  readonly type: string;
};

/** A script comes after the scripts that it imports. */
const ASSETS: readonly Asset[] = [
  { key: 'style', name: 'checkout', ending: 'css', files: STYLE, type: 'text/css; charset=utf-8' },
  { key: 'icon', name: 'favicon', ending: 'svg', files: ['favicon.svg'], type: 'image/svg+xml' },
  { key: 'script', name: 'checkout', ending: 'js', files: ['checkout.js'], type: SCRIPT },
  { key: null, name: 'calls', ending: 'js', files: ['calls.js'], type: SCRIPT },
  { key: null, name: 'networks', ending: 'js', files: ['networks.js'], type: SCRIPT },
  { key: null, name: 'wallets', ending: 'js', files: ['wallets.js'], type: SCRIPT },
  { key: null, name: 'payer', ending: 'js', files: ['payer.js'], type: SCRIPT },
  { key: null, name: 'wallet-state', ending: 'js', files: ['wallet-state.js'], type: SCRIPT },
  { key: null, name: 'agreement', ending: 'js', files: ['agreement.js'], type: SCRIPT },
  { key: null, name: 'pay-signed', ending: 'js', files: ['pay-signed.js'], type: SCRIPT },
  { key: 'pay', name: 'pay-wallet', ending: 'js', files: ['pay-wallet.js'], type: SCRIPT },
  { key: 'refund', name: 'refund', ending: 'js', files: ['refund.js'], type: SCRIPT },
  { key: 'subscription', name: 'subscription', ending: 'js', files: ['subscription.js'], type: SCRIPT },
];

/** The static files of the pages, read once, and their URLs below `base`. */
export function loadAssets(base: string): { readonly urls: AssetUrls; readonly pages: readonly Page[] } {
  const served = new Map<string, string>();
  const urls: Partial<Record<keyof AssetUrls, string>> = {};
  const pages = ASSETS.map(({ key, name, ending, files, type }): Page => {
    const body = withHashes(Buffer.concat(files.map((file) => readFileSync(join(FOLDER, file)))), served);
    const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH);
    const file = `${name}.${hash}.${ending}`;
    served.set(`${name}.${ending}`, file);
    const path = `/assets/${file}`;
    if (key) urls[key] = `${base}${path}`;
    const headers = { 'cache-control': 'public, max-age=31536000, immutable', etag: `"${hash}"` };
    return { method: 'GET', path, handle: async () => ({ status: 200, type, body, headers }) };
  });
  return { urls: urls as AssetUrls, pages };
}

/** Replaces the plain names by which scripts import each other with the served names, which contain hashes. */
function withHashes(body: Buffer, served: ReadonlyMap<string, string>): Buffer {
  const text = body.toString('utf8');
  return Buffer.from(
    text.replace(/ from '\.\/([a-z-]+\.js)';/g, (_all, file: string) => {
      const name = served.get(file);
      if (name === undefined) throw new Error(`${file} is imported by a script that stands before it`);
      return ` from './${name}';`;
    }),
  );
}
