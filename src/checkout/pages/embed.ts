import type { PageCall } from '../../ports/page.ts';
import type { Assets } from './assets.ts';

/** What a page needs that an element of ours shows in a shop's page. */
export type EmbedView = {
  /** The shop's, to which the page speaks. */
  readonly origin: string;
  readonly script: string;
  readonly style: string;
};

type Framed = { readonly frame: { readonly assets: Assets['urls'] } };

/**
 * For the shop that asks by `?embed=<its origin>`; null for everybody whom the merchant has not listed. Who lies about
 * the origin gains nothing: a browser hands messages to that origin alone.
 */
export function embedOf({ frame }: Framed, { query }: PageCall, origins: readonly string[]): EmbedView | null {
  const origin = origins.find((each) => each === query['embed']);
  return origin === undefined ? null : { origin, script: frame.assets.framed, style: frame.assets.framedStyle };
}

/** What an address says of its reader. In a frame nothing else remembers it, because cookies may be blocked. */
const KEPT = ['lang', 'zone', 'embed'];

/** The query of the next page, which keeps that. */
export function keptQuery({ query }: PageCall): string {
  const next = new URLSearchParams();
  for (const name of KEPT) if (typeof query[name] === 'string') next.set(name, query[name]);
  return next.size === 0 ? '' : `?${next}`;
}
