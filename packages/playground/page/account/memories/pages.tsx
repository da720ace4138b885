import { hrefOf } from '../../shell/route.js';

/** From one page of the list to the next; nothing where there is one. */
export function Pages({ page, pages }: { readonly page: number; readonly pages: number }) {
  if (pages <= 1 && page === 1) return null;
  const href = (to: number) => `${hrefOf('account', 'memory')}?page=${to}`;
  return (
    <nav aria-label="Pages" className="row">
      {page > 1 ? <a href={href(page - 1)}>Newer</a> : null}
      <span className="quiet small">
        Page {page} of {Math.max(pages, 1)}
      </span>
      {page < pages ? <a href={href(page + 1)}>Older</a> : null}
    </nav>
  );
}
