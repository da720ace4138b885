import { useSyncExternalStore } from 'react';
import { partsOf, queryOf } from './route.js';

/** The parts of the address, as `partsOf` reads them. */
export function useRoute(): readonly string[] {
  return partsOf(useHash());
}

/** The options of the view, as `queryOf` reads them. */
export function useQuery(): URLSearchParams {
  return queryOf(useHash());
}

function useHash(): string {
  return useSyncExternalStore(listen, () => window.location.hash);
}

function listen(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}
