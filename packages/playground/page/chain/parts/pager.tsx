import type { Pages } from './use-pages.js';

export function Pager({ pages, name }: { readonly pages: Pages<object>; readonly name: string }) {
  const { count, next, previous, isLoading } = pages;
  return (
    <nav className="row" aria-label={`Pages of ${name}`}>
      <button type="button" className="tight" disabled={previous === undefined || isLoading} onClick={previous}>
        ← Previous
      </button>
      <span className="small quiet" aria-live="polite">
        Page {count}
      </span>
      <button type="button" className="tight" disabled={next === undefined || isLoading} onClick={next}>
        Next →
      </button>
    </nav>
  );
}
