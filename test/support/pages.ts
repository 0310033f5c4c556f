/** What a list says of a page that holds all there is. */
export const onlyPage = (total: number) => ({
  ...{ page: 1, limit: 20, total, totalPages: 1, totalIsMinimum: false },
  ...{ next: null, previous: null },
});
