export const PAGE_SIZE = 20;

/** The query for a page of a list of the chain; pages are counted from 1. */
export function pagePath(path: string, page: number, size = PAGE_SIZE): string {
  const query = new URLSearchParams({
    'pagination.limit': String(size),
    'pagination.offset': String((page - 1) * size),
  });
  return `${path}?${query}`;
}
