import {
  type BrowserIdentity,
  type BrowserIdentityOptions,
  openBrowserIdentity,
} from '@mlango/oracle-client/browser-identity';
import { use } from 'react';
import { removeLinkedPhone } from '../link/linked-phone.js';

let identity: BrowserIdentity | undefined;
let opening: Promise<BrowserIdentity> | undefined;

/** People try this page in more than one browser: what it makes can be taken along. */
export const identityOptions: BrowserIdentityOptions = { isExportable: true };

/** Opens the key of this browser, made at the first visit; once, however often it is asked for. */
export function openIdentity(): Promise<BrowserIdentity> {
  opening ??= openBrowserIdentity(identityOptions).then((opened) => {
    identity = opened;
    return opened;
  });
  return opening;
}

/** Who this browser is. Suspends until it is open. */
export function useIdentity(): BrowserIdentity {
  return identity ?? use(openIdentity());
}

/** Has this browser forget who it was; what a phone had granted to that one is of no use to the next. */
export async function forgetThisBrowser(user: BrowserIdentity): Promise<void> {
  await user.forget();
  removeLinkedPhone();
}
