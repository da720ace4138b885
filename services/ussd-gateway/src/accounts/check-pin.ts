import type { Attempt, AttemptKey, AttemptLimits, Customer, PhoneAttempt } from './account.js';
import type { AccountStore } from './account-store.js';
import type { PinVault } from './pin-vault.js';

export interface PinCheck {
  readonly store: AccountStore;
  readonly vault: PinVault;
  readonly limits: AttemptLimits;
}

export type PinVerdict =
  | { readonly kind: 'right'; readonly customer: Customer }
  /** The input was the one-time code of an operator. */
  | { readonly kind: 'oneTimeCode'; readonly customer: Customer }
  | { readonly kind: 'wrong'; readonly attemptsLeft: number }
  | { readonly kind: 'locked'; readonly lockedMs: number };

/**
 * Checks a PIN: takes an attempt, compares, and settles it, with one statement for each step. An unknown customer has attempts and locks
 * as others do, and takes as long to compare. A one-time code is right only on the phone of the account: a leaked code needs that phone
 * too.
 *
 * @throws {ServiceError} `internal` if the sealed PIN does not open: no attempt is used then; the errors of the store.
 */
export async function checkPin(of: Omit<AttemptKey, 'decoy'>, pin: string, check: PinCheck): Promise<PinVerdict> {
  const { store, vault, limits } = check;
  const attempt: AttemptKey = { ...of, decoy: vault.decoyOf(of.customerId) };
  const taken = await store.takeAttempt(attempt, limits);
  if (taken.kind === 'locked') return taken;
  const { customer } = taken;
  const right = taken.kind === 'settled' ? taken.right : await settle(attempt, taken, pin, check);
  if (right && customer !== undefined) {
    if (taken.code !== undefined) return { kind: 'oneTimeCode', customer };
    const resealed = vault.reseal(customer.id, customer.sealedPin);
    if (resealed !== undefined) await store.replacePin(customer.id, customer.sealedPin, resealed);
    return { kind: 'right', customer };
  }
  return refused(taken);
}

function refused({ attemptsLeft, lockedMs }: { readonly attemptsLeft: number; readonly lockedMs: number }) {
  return lockedMs > 0 ? ({ kind: 'locked', lockedMs } as const) : ({ kind: 'wrong', attemptsLeft } as const);
}

/**
 * Compares the PIN and settles the attempt. @returns whether it was right.
 */
async function settle(attempt: AttemptKey, taken: Extract<Attempt, { kind: 'taken' }>, pin: string, check: PinCheck) {
  const { store, vault, limits } = check;
  const { customer, code } = taken;
  const mayOpen = code === undefined || (code === 'live' && customer?.phone === attempt.phone);
  const { customerId } = attempt;
  let right: boolean;
  try {
    const matches = vault.matches(customerId, customer?.sealedPin ?? vault.seal(customerId, ''), pin);
    right = matches && customer !== undefined && mayOpen;
  } catch (error) {
    // An unreadable PIN is no wrong attempt of the subscriber.
    await store.settleAttempt(attempt, 'void', limits);
    throw error;
  }
  await store.settleAttempt(attempt, right ? 'right' : 'wrong', limits);
  return right;
}

/** Three wrong PINs lock for `LOCKOUT_SECONDS`; each further lock lasts twice as long, up to a day. */
const attemptsBeforeLock = 3;

export function attemptLimits(lockoutSeconds: number): AttemptLimits {
  return { attempts: attemptsBeforeLock, lockMs: lockoutSeconds * 1000 };
}

export type IdsVerdict =
  | { readonly kind: 'found'; readonly customerIds: readonly string[] }
  | Extract<PinVerdict, { kind: 'wrong' | 'locked' }>;

/**
 * Finds the accounts of a phone that have this PIN, for a forgotten Customer ID. Takes an attempt of the phone and of
 * each account; accounts with another PIN lose one.
 *
 * @throws {ServiceError} `internal` if a sealed PIN does not open: no attempt is used then; the errors of the store.
 */
export async function findCustomerIds(
  of: { readonly key: string; readonly phone: string },
  pin: string,
  { store, vault, limits }: PinCheck,
): Promise<IdsVerdict> {
  const taken = await store.takePhoneAttempt(of, limits);
  if (taken.kind === 'locked') return taken;
  const mayMatch = taken.kind === 'taken' || taken.right;
  const matching = await matchingAccounts(of.key, taken, pin, { store, vault, limits });
  const customerIds = mayMatch ? matching.map(({ id }) => id) : [];
  if (taken.kind === 'taken') await store.settlePhoneAttempt(of.key, customerIds, limits);
  return customerIds.length > 0 ? { kind: 'found', customerIds } : refused(taken);
}

async function matchingAccounts(
  key: string,
  taken: Exclude<PhoneAttempt, { kind: 'locked' }>,
  pin: string,
  { store, vault, limits }: PinCheck,
) {
  try {
    return taken.accounts.filter(({ id, sealedPin }) => vault.matches(id, sealedPin, pin));
  } catch (error) {
    // An unreadable PIN is no wrong attempt of the subscriber.
    const ids = taken.accounts.map(({ id }) => id);
    if (taken.kind === 'taken') await store.voidPhoneAttempt(key, ids, limits);
    throw error;
  }
}
