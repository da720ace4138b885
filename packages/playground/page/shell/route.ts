/** The pages. */
export type PageName = 'home' | 'phone' | 'link' | 'chat' | 'chain' | 'account' | 'notFound';

/**
 * The page of an address, with its parts as `partsOf` returns them. One without a hash is home, unless the server did not know
 * the path.
 */
export function pageOf([page, view]: readonly string[], pathname = '/'): PageName {
  if (page === undefined) return pathname === '/' ? 'home' : 'notFound';
  if (page === 'phone') return view === undefined ? 'phone' : view === 'link' ? 'link' : 'notFound';
  return page === 'chat' || page === 'chain' || page === 'account' ? page : 'notFound';
}
/** The parts of the address behind `#/`, decoded: `#/chain/entities/did%3Aixo` is `['chain', 'entities', 'did:ixo']`. */
export function partsOf(hash: string): string[] {
  const path = (hash.split('?', 1)[0] ?? '').replace(/^#\/?/, '');
  return path === '' ? [] : path.split('/').map(decoded);
}

/** The part after a question mark: the options of a view, so that Back and shared links preserve them. */
export function queryOf(hash: string): URLSearchParams {
  const from = hash.indexOf('?');
  return new URLSearchParams(from < 0 ? '' : hash.slice(from + 1));
}

/** The address of some parts, for a link. */
export function hrefOf(...parts: readonly string[]): string {
  return `#/${parts.map(segmentOf).join('/')}`;
}

/** A value as one segment of a path. Colons need no escape in it, and keep DIDs readable. */
export function segmentOf(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
