import { type BrowserIdentity, openBrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { use } from 'react';

let opening: Promise<BrowserIdentity> | undefined;

/** Who this browser is: a key of its own, made at the first visit. Suspends until it is there. */
export function useIdentity(): BrowserIdentity {
  opening ??= openBrowserIdentity();
  return use(opening);
}
