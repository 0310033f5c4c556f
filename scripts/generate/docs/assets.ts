import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { rolldown } from 'rolldown';
import { REDOC, withoutForeignLogo } from '../../../src/http/redoc.ts';

/** The addresses of what pages share, each with the hash of its content. */
export type AssetUrls = {
  readonly style: string;
  readonly script: string;
  readonly search: string;
  readonly index: string;
  readonly reference: string;
  readonly redoc: string;
  readonly icon: string;
};

export type Assets = {
  readonly urls: AssetUrls;
  /** What is written, by its path below the folder of the site. Redoc stays in its package. */
  readonly files: ReadonlyMap<string, string>;
};

const FOLDER = 'scripts/generate/docs/assets';
const ICON = 'src/checkout/pages/assets/favicon.svg';
const HASH_LENGTH = 12;

/** Bundles styles and scripts. `index` is the text of the search's index. */
export async function makeAssets(index: string): Promise<Assets> {
  const files = new Map<string, string>();
  const add = (name: string, ending: string, text: string): string => {
    const path = `assets/${name}.${hashOf(text)}.${ending}`;
    files.set(path, text);
    return `/docs/${path}`;
  };
  const redoc = withoutForeignLogo(readFileSync(createRequire(import.meta.url).resolve(REDOC), 'utf8'));
  const urls = {
    style: add('docs', 'css', readStyles()),
    script: add('docs', 'js', await bundle('docs.js')),
    search: add('search', 'js', await bundle('search.js', MINISEARCH)),
    index: add('index', 'json', index),
    reference: add('reference', 'js', await bundle('reference.js')),
    icon: add('icon', 'svg', readFileSync(ICON, 'utf8')),
    redoc: `/docs/assets/redoc.${hashOf(redoc)}.js`,
  };
  return { urls, files };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);

/** The parts of the style sheet, in this order: later rules win. */
const readStyles = (): string =>
  ['docs.css', 'parts.css', 'code.css', 'search.css', 'reference.css', 'screens.css']
    .map((name) => readFileSync(`${FOLDER}/${name}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/\n?/g, ''))
    .map((text) => text.replaceAll(/\n\s*/g, '\n').replaceAll(/\n+/g, '\n').trim())
    .join('\n');

/** Its licence wants to be told wherever it goes. */
const MINISEARCH = '/*! With MiniSearch, copyright Luca Ongaro, MIT licence: https://github.com/lucaong/minisearch */';

async function bundle(name: string, notice = ''): Promise<string> {
  const build = await rolldown({ input: `${FOLDER}/${name}`, platform: 'browser' });
  const { output } = await build.generate({ format: 'esm', minify: true });
  return notice === '' ? output[0].code : `${notice}\n${output[0].code}`;
}
