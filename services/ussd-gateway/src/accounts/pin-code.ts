import type { Logger } from '@mlango/service-kit/logging';
import type { AccountStore } from './account-store.js';
import type { PinVault } from './pin-vault.js';
import { eightDigits } from './random-codes.js';

/** A code that opens an account once, in the place of a forgotten PIN. */
export interface PinCode {
  /** 8 digits. */
  readonly code: string;
  readonly lifeMinutes: number;
}

export interface PinCodes {
  readonly store: Pick<AccountStore, 'issueCode'>;
  readonly vault: PinVault;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly lifeMinutes: number;
  readonly logger: Logger;
}

/**
 * Issues a code for a customer who forgot the PIN. The PIN, and any code before, is void from now on; locks are lifted. The code is typed
 * on the phone that the account is of, in the place of the PIN, and leads to a new one. It is kept sealed alone, and in no log.
 *
 * @param by who asked: for the log.
 * @returns undefined if there is no such customer.
 */
export async function issuePinCode(customerId: string, by: string, options: PinCodes): Promise<PinCode | undefined> {
  const { store, vault, lifeMinutes, logger } = options;
  const code = eightDigits(options.randomBytes);
  const isIssued = await store.issueCode(customerId, vault.seal(customerId, code), lifeMinutes * 60_000);
  if (!isIssued) return undefined;
  logger.info({ customerId, by, lifeMinutes }, 'a one-time code was issued in the place of a PIN');
  return { code, lifeMinutes };
}
