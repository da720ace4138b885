import type { Facts, Flow } from './flow.js';
import type { Position } from './position.js';
import { type Shown, show } from './show.js';

/** A screen of more pages than this is a mistake in its texts: nobody turns so many on a phone. */
export const maxPages = 12;

/** The pages from a position on, as far as they are wanted, and one more than allowed at most. */
export function showPages(
  flow: Flow,
  first: Position,
  facts: Facts,
  wanted: (shown: Shown) => boolean = () => true,
): Shown[] {
  const pages: Shown[] = [];
  for (let page = first.page; page <= first.page + maxPages; page++) {
    const shown = show(flow, { ...first, page }, facts);
    if (!wanted(shown)) break;
    pages.push(shown);
    if (!shown.hasMore) break;
  }
  return pages;
}
