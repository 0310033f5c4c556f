/** `page` and `limit` of a list, as the contract validated them. */
export type PageQuery = { readonly page?: number; readonly limit?: number };
export type PageWindow = { readonly offset: number; readonly limit: number };

const LIMIT_DEFAULT = 20;

/** The rows of a page. */
export function windowOf(query: PageQuery): PageWindow {
  const limit = query.limit ?? LIMIT_DEFAULT;
  return { offset: ((query.page ?? 1) - 1) * limit, limit };
}

/** The pagination object of every list; a page past the end has the true total. */
export function presentPagination(query: PageQuery, total: number) {
  const limit = query.limit ?? LIMIT_DEFAULT;
  return { page: query.page ?? 1, limit, total, totalPages: Math.ceil(total / limit) };
}
