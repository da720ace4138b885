import type { ChainQuestion } from '../../engine/chain-reader.js';

/** The path of a question; undefined where a segment names nothing, or would name something above it. */
export function pathOf({ path }: Pick<ChainQuestion<unknown>, 'path'>): string | undefined {
  if (path.some((segment) => ['', '.', '..'].includes(segment) || /\p{Surrogate}/u.test(segment))) return undefined;
  return path.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}
