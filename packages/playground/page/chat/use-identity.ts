import {
  type BrowserIdentity,
  type BrowserIdentityOptions,
  openBrowserIdentity,
} from '@mlango/oracle-client/browser-identity';
import { use } from 'react';
import { removeLinkedPhone } from '../link/linked-phone.js';

let identity: BrowserIdentity | undefined;
let opening: Promise<BrowserIdentity> | undefined;

/** Exportable, so that a user can move to another browser. */
export const identityOptions: BrowserIdentityOptions = { isExportable: true };

/** Opens the key of this browser, created at the first visit; cached. */
export function openIdentity(): Promise<BrowserIdentity> {
  opening ??= openBrowserIdentity(identityOptions).then((opened) => {
    identity = opened;
    return opened;
  });
  return opening;
}

/** The identity of this browser. Suspends until it is open. */
export function useIdentity(): BrowserIdentity {
  return identity ?? use(openIdentity());
}

/** Removes the identity of this browser; the linked phone belongs to it and is removed too. */
export async function forgetThisBrowser(user: BrowserIdentity): Promise<void> {
  await user.forget();
  removeLinkedPhone();
}
