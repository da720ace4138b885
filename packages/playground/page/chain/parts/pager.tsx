import { useQuery, useRoute } from '../../shell/use-route.js';
import { chainHref } from '../here/chain-href.js';
import type { Pages } from './use-pages.js';

/** Links to the pages beside this one, which keep how the list is looked at. */
export function Pager({ pages, name }: { readonly pages: Pages<unknown>; readonly name: string }) {
  const [, ...parts] = useRoute();
  const look = Object.fromEntries(useQuery());
  const { page, hasNext } = pages;
  const hrefOf = (to: number) => chainHref(parts, { ...look, page: to === 1 ? undefined : String(to) });
  return (
    <nav className="row pager" aria-label={`Pages of ${name}`}>
      {page > 1 ? (
        <a className="button tight" href={hrefOf(page - 1)}>
          ← Previous
        </a>
      ) : null}
      <span className="small quiet" aria-live="polite">
        Page {page}
      </span>
      {hasNext ? (
        <a className="button tight" href={hrefOf(page + 1)}>
          Next →
        </a>
      ) : null}
    </nav>
  );
}
