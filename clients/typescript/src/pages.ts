const PAGE_SIZE = 100;

/** How many of the last ids are remembered: more than this would have to be added between two pages to be seen twice. */
const REMEMBERED_IDS = 10_000;

/**
 * Yields every item of a list once. Lists stand newest first, so that items added meanwhile push others to a later page, where
 * they are recognised by their ids. What was added after the first page is not shown; what is removed meanwhile may let
 * others slip past, as page numbers can't tell.
 */
export async function* iteratePages<Item extends { readonly id: string }>(
  fetchPage: (page: number, limit: number) => Promise<unknown>,
  limit: number = PAGE_SIZE,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  for (let page = 1, last = false; !last; page += 1) {
    const { items, totalPages } = parsePage<Item>(await fetchPage(page, limit));
    last = items.length === 0 || page >= totalPages;
    for (const item of items) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    for (const id of seen) {
      if (seen.size <= REMEMBERED_IDS) break;
      seen.delete(id);
    }
  }
}

/** A page names its list after what is in it: `payments`, `deliveries`, `data`. */
function parsePage<Item>(body: unknown): { items: readonly Item[]; totalPages: number } {
  const { pagination, ...rest } = body as { pagination: { totalPages: number } };
  const items = Object.values(rest).find((value): value is Item[] => Array.isArray(value)) ?? [];
  return { items, totalPages: pagination.totalPages };
}
