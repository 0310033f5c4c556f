import { KasiError } from './errors.ts';

const PAGE_SIZE = 100;

/** How many recent ids are remembered. An item appears twice only if more than this are added between two pages. */
const REMEMBERED_IDS = 10_000;

/**
 * Yields every item of a list once. Lists are newest first, so items added meanwhile push others to a later page, where
 * they are recognised by their ids. Does not yield items added after the first page. If items are removed meanwhile,
 * others may be missed: page numbers can't show that. Throws `KasiError` `UNEXPECTED_RESPONSE` for an answer that isn't
 * a list, or a list that doesn't end.
 */
export async function* iteratePages<Item extends { readonly id: string }>(
  fetchPage: (page: number, limit: number) => Promise<unknown>,
  limit: number = PAGE_SIZE,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  let repeated = 0;
  for (let page = 1, last = false; !last; page += 1) {
    const { items, totalPages } = parsePage<Item>(await fetchPage(page, limit));
    last = items.length === 0 || page >= totalPages;
    for (const item of items) {
      repeated = seen.has(item.id) ? repeated + 1 : 0;
      if (repeated > 0) continue;
      seen.add(item.id);
      yield item;
    }
    if (repeated > REMEMBERED_IDS) throw unexpected('The list shows the same items on page after page.');
    for (const id of seen) {
      if (seen.size <= REMEMBERED_IDS) break;
      seen.delete(id);
    }
  }
}

/** The name of a page's list depends on its content: `payments`, `deliveries`, `data`. */
function parsePage<Item>(body: unknown): { items: readonly Item[]; totalPages: number } {
  const { pagination, ...rest } = (body ?? {}) as { readonly pagination?: { readonly totalPages?: unknown } };
  const items = Object.values(rest).find((value): value is Item[] => Array.isArray(value));
  const totalPages = pagination?.totalPages;
  if (items === undefined || typeof totalPages !== 'number') throw unexpected('The answer is not a page of a list.');
  return { items, totalPages };
}

const unexpected = (message: string): KasiError => new KasiError('UNEXPECTED_RESPONSE', message, { status: 200 });
