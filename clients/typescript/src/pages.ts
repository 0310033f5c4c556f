import { KasiError } from './errors.ts';

const PAGE_SIZE = 100;

/**
 * Yields every item of a list once, from the cursor `after` on. Each page begins behind the last item of the one
 * before, so what is added or removed meanwhile repeats and hides nothing. Asks for a page when the one before is used
 * up. Throws `KasiError` `UNEXPECTED_RESPONSE` for an answer that isn't a page, or a cursor that leads nowhere.
 */
export async function* iteratePages<Item>(
  fetchPage: (after: string | undefined, limit: number) => Promise<unknown>,
  { after, limit = PAGE_SIZE }: { readonly after?: string | undefined; readonly limit?: number | undefined } = {},
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null | undefined = after; cursor !== null; ) {
    const { items, next }: ListPage<Item> = parsePage(await fetchPage(cursor, limit));
    if (next === cursor) throw unexpected('The list shows the same page again and again.');
    yield* items;
    cursor = next;
  }
}

type ListPage<Item> = { readonly items: readonly Item[]; readonly next: string | null };

/** The name of a page's list depends on its content: `payments`, `deliveries`, `data`. */
function parsePage<Item>(body: unknown): ListPage<Item> {
  const { pagination, ...rest } = (body ?? {}) as { readonly pagination?: { readonly next?: unknown } };
  const items = Object.values(rest).find((value): value is Item[] => Array.isArray(value));
  const next = pagination?.next;
  if (items === undefined || (next !== null && typeof next !== 'string')) {
    throw unexpected('The answer is not a page of a list with cursors. Is the service older than this client?');
  }
  return { items, next };
}

const unexpected = (message: string): KasiError => new KasiError('UNEXPECTED_RESPONSE', message, { status: 200 });
