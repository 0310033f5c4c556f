import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../ports/page.ts';
import { LANGUAGE_CODES } from './languages.ts';
import { wordsOf } from './words.ts';

/** What `npm run generate` makes of `assets/embed.js`. */
const SOURCE = join(import.meta.dirname, '../../../generated/embed.js');
const PLACE = /JSON\.parse\([`'"]\{filled in\}[`'"]\)/;
/** In the order in which the script reads them. */
const SAID = ['embed.title', 'embed.close', 'embed.loading', 'embed.window'] as const;
const HASH_LENGTH = 12;
const TYPE = 'text/javascript; charset=utf-8';
/** Shops load it from their own origin, also as a module, or with `integrity`. */
const OPEN = { 'access-control-allow-origin': '*' };
const FIVE_MINUTES = 'public, max-age=300';
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * The script that defines `<kasi-checkout>` on shops' pages, at an address that stays and, for who wants to pin it, at
 * one with the hash of its content.
 */
export function embedScripts(checkoutUrl: string): Page[] {
  const body = embedScript(checkoutUrl);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH);
  const serve = (path: string, caching: string): Page => ({
    method: 'GET',
    path,
    handle: async () => ({
      status: 200,
      type: TYPE,
      body,
      headers: { ...OPEN, 'cache-control': caching, etag: `"${hash}"` },
    }),
  });
  return [serve('/embed.js', FIVE_MINUTES), serve(`/assets/embed.${hash}.js`, FOR_EVER)];
}

/** The script for the pages at this address, with what its element says in every language. */
function embedScript(checkoutUrl: string): string {
  const words = Object.fromEntries(
    LANGUAGE_CODES.map((code) => {
      const { say } = wordsOf(code, 'UTC');
      return [code, SAID.map((key) => say(key))];
    }),
  );
  const [before, after, ...more] = readFileSync(SOURCE, 'utf8').split(PLACE);
  if (after === undefined || more.length > 0) throw new Error('generated/embed.js has not one place to fill in');
  return `${before}${JSON.stringify({ home: checkoutUrl, words })}${after}`;
}
