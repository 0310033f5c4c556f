import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from '../../ports/page.ts';
import { LANGUAGE_CODES, type Language } from './languages.ts';
import { scriptWords } from './words.ts';

/** URLs of the static files, each with the hash of its content, so that browsers may cache it for ever. */
type AssetUrls = {
  readonly style: string;
  readonly script: string;
  readonly subscription: string;
  readonly refund: string;
  readonly proof: string;
  readonly pay: string;
  readonly icon: string;
  readonly framed: string;
  readonly framedStyle: string;
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
  'style-verify.css',
  'style-customer.css',
];
const SCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const resolve = createRequire(import.meta.url).resolve;

/** Letters that not every device has, by the language that needs them: a file of a package, and the range it covers. */
const LETTERS = {
  si: {
    file: '@fontsource-variable/noto-sans-sinhala/files/noto-sans-sinhala-sinhala-wght-normal.woff2',
    range: 'U+0964-0965,U+0D81-0DF4,U+1CF2,U+200C-200D,U+25CC',
  },
  ta: {
    file: '@fontsource-variable/noto-sans-tamil/files/noto-sans-tamil-tamil-wght-normal.woff2',
    range: 'U+0964-0965,U+0B82-0BFA,U+200C-200D,U+25CC',
  },
} as const;

type Asset = {
  /** Its key in `AssetUrls`; null when only scripts import it. */
  readonly key: keyof AssetUrls | null;
  readonly name: string;
  readonly ending: string;
  readonly files: readonly string[];
  readonly type: string;
};

/** A script comes after the scripts that it imports. Two that every page imports are one request. */
const ASSETS: readonly Asset[] = [
  { key: 'style', name: 'checkout', ending: 'css', files: STYLE, type: CSS },
  { key: 'icon', name: 'favicon', ending: 'svg', files: ['favicon.svg'], type: 'image/svg+xml' },
  { key: null, name: 'words', ending: 'js', files: ['words.js', 'wallet-loader.js'], type: SCRIPT },
  { key: 'script', name: 'checkout', ending: 'js', files: ['checkout.js'], type: SCRIPT },
  { key: null, name: 'calls', ending: 'js', files: ['calls.js'], type: SCRIPT },
  { key: null, name: 'networks', ending: 'js', files: ['networks.js'], type: SCRIPT },
  { key: null, name: 'wallets', ending: 'js', files: ['wallets.js'], type: SCRIPT },
  { key: null, name: 'payer', ending: 'js', files: ['payer.js'], type: SCRIPT },
  { key: null, name: 'wallet-state', ending: 'js', files: ['wallet-state.js'], type: SCRIPT },
  { key: null, name: 'agreement', ending: 'js', files: ['agreement.js'], type: SCRIPT },
  { key: null, name: 'pay-signed', ending: 'js', files: ['pay-signed.js'], type: SCRIPT },
  { key: 'pay', name: 'pay-wallet', ending: 'js', files: ['pay-wallet.js'], type: SCRIPT },
  { key: 'proof', name: 'proof', ending: 'js', files: ['proof.js'], type: SCRIPT },
  { key: 'refund', name: 'refund', ending: 'js', files: ['refund.js'], type: SCRIPT },
  { key: 'framed', name: 'framed', ending: 'js', files: ['framed.js'], type: SCRIPT },
  { key: 'framedStyle', name: 'framed', ending: 'css', files: ['style-framed.css'], type: CSS },
  { key: 'subscription', name: 'subscription', ending: 'js', files: ['subscription.js'], type: SCRIPT },
];

/** The static files of the pages. */
export type Assets = {
  readonly urls: AssetUrls;
  /** The URL of the style sheet with a language's letters, where one needs any. */
  readonly letters: Readonly<Partial<Record<Language, string>>>;
  /** The URLs of what scripts say, by the language: on every page, and to owners of wallets. */
  readonly spoken: Readonly<Record<Language, { readonly page: string; readonly wallet: string }>>;
  readonly pages: readonly Page[];
};

/** The static files of the pages, read once, and their URLs below `base`. */
export function loadAssets(base: string): Assets {
  const served = new Map<string, string>();
  const urls: Partial<Record<keyof AssetUrls, string>> = {};
  const pages = ASSETS.map(({ key, name, ending, files, type }): Page => {
    const body = withHashes(Buffer.concat(files.map((file) => readFileSync(join(FOLDER, file)))), served);
    const { path, file, page } = serve(name, ending, type, body);
    for (const each of files) served.set(each, file);
    if (key) urls[key] = `${base}${path}`;
    return page;
  });
  const letters = Object.entries(LETTERS).map(([language, { file, range }]) => {
    const font = serve(`letters-${language}`, 'woff2', 'font/woff2', readFileSync(resolve(file)));
    const sheet = Buffer.from(
      `@font-face{font-family:"Letters";font-weight:100 900;font-display:swap;` +
        `src:url("${font.file}") format("woff2");unicode-range:${range}}\n`,
    );
    return { language, font, sheet: serve(`letters-${language}`, 'css', CSS, sheet) };
  });
  const teach = (name: string, words: string) => {
    const script = `import { learn } from './words.js';\nlearn(${words});\n`;
    return serve(name, 'js', SCRIPT, withHashes(Buffer.from(script), served));
  };
  const spoken = LANGUAGE_CODES.map((language) => {
    const words = scriptWords(language);
    const [page, wallet] = [teach(`words-${language}`, words.page), teach(`wallet-words-${language}`, words.wallet)];
    return { language, pages: [page.page, wallet.page], page: `${base}${page.path}`, wallet: `${base}${wallet.path}` };
  });
  return {
    urls: urls as AssetUrls,
    spoken: Object.fromEntries(
      spoken.map(({ language, page, wallet }) => [language, { page, wallet }]),
    ) as Assets['spoken'],
    letters: Object.fromEntries(letters.map(({ language, sheet }) => [language, `${base}${sheet.path}`])),
    pages: [
      ...pages,
      ...letters.flatMap(({ font, sheet }) => [font.page, sheet.page]),
      ...spoken.flatMap((each) => each.pages),
    ],
  };
}

/** A file under a name with the hash of its content. */
function serve(name: string, ending: string, type: string, body: Buffer) {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH);
  const file = `${name}.${hash}.${ending}`;
  const path = `/assets/${file}`;
  const headers = { 'cache-control': 'public, max-age=31536000, immutable', etag: `"${hash}"` };
  const page: Page = { method: 'GET', path, handle: async () => ({ status: 200, type, body, headers }) };
  return { path, file, page };
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
