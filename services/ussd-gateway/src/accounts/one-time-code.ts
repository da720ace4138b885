import type { Logger } from '@mlango/service-kit/logging';
import type { AccountStore } from './account-store.js';
import type { PinVault } from './pin-vault.js';
import { eightDigits } from './random-codes.js';

/** A one-time code in place of a forgotten PIN. */
export interface OneTimeCode {
  /** 8 digits. */
  readonly code: string;
  readonly lifeMinutes: number;
}

export interface OneTimeCodes {
  readonly store: Pick<AccountStore, 'issueCode'>;
  readonly vault: PinVault;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly lifeMinutes: number;
  readonly logger: Logger;
}

/**
 * Issues a one-time code for a forgotten PIN. The PIN and earlier codes become void, and locks are lifted. The customer
 * types the code on the phone of the account and then chooses a new PIN. The code is stored sealed, and never logged.
 *
 * @param by the requester, for the log.
 * @returns undefined if the customer does not exist.
 */
export async function issueOneTimeCode(
  customerId: string,
  by: string,
  options: OneTimeCodes,
): Promise<OneTimeCode | undefined> {
  const { store, vault, lifeMinutes, logger } = options;
  const code = eightDigits(options.randomBytes);
  const isIssued = await store.issueCode(customerId, vault.seal(customerId, code), lifeMinutes * 60_000);
  if (!isIssued) return undefined;
  logger.info({ customerId, by, lifeMinutes }, 'one-time PIN code issued');
  return { code, lifeMinutes };
}
