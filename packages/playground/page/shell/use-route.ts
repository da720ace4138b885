import { useSyncExternalStore } from 'react';

/** The parts of the address behind `#/`, decoded: `#/chain/entities/did%3Aixo` is `['chain', 'entities', 'did:ixo']`. */
export function useRoute(): readonly string[] {
  const hash = useSyncExternalStore(listen, () => window.location.hash);
  return partsOf(hash);
}

export function partsOf(hash: string): string[] {
  const path = hash.replace(/^#\/?/, '');
  return path === '' ? [] : path.split('/').map(decoded);
}

/** The address of some parts, for a link. */
export function hrefOf(...parts: readonly string[]): string {
  return `#/${parts.map(segmentOf).join('/')}`;
}

/** A value as one segment of a path. Colons need no escape there, and DIDs are easier to read with them. */
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

function listen(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}
