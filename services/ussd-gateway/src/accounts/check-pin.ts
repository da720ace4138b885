import type { AccountStore, Attempt, AttemptKey, AttemptLimits, Customer } from './account-store.js';
import type { PinVault } from './pin-vault.js';

export interface PinCheck {
  readonly store: AccountStore;
  readonly vault: PinVault;
  readonly limits: AttemptLimits;
}

export type PinVerdict =
  | { readonly kind: 'right'; readonly customer: Customer }
  /** What was typed is the code of an operator in the place of the PIN. */
  | { readonly kind: 'code'; readonly customer: Customer }
  | { readonly kind: 'wrong'; readonly attemptsLeft: number }
  | { readonly kind: 'locked'; readonly lockedMs: number };

/**
 * Checks a PIN: takes an attempt first, compares, and says how it went; each of the two is one statement. A customer who
 * does not exist has attempts and locks like any other, and takes as long to compare. The code of an operator is right on the phone
 * that the account is of alone: whoever overhears it, or talks an operator into one, needs that phone too.
 *
 * @throws {ServiceError} `internal` if the sealed PIN does not open: nothing is taken then; whatever the store rejects with.
 */
export async function checkPin(of: Omit<AttemptKey, 'decoy'>, pin: string, check: PinCheck): Promise<PinVerdict> {
  const { store, vault, limits } = check;
  const attempt: AttemptKey = { ...of, decoy: vault.decoyOf(of.customerId) };
  const taken = await store.takeAttempt(attempt, limits);
  if (taken.kind === 'locked') return taken;
  const { customer } = taken;
  const right = taken.kind === 'settled' ? taken.right : await settle(attempt, taken, pin, check);
  if (right && customer !== undefined) {
    if (taken.code !== undefined) return { kind: 'code', customer };
    const resealed = vault.reseal(customer.id, customer.sealedPin);
    if (resealed !== undefined) await store.replacePin(customer.id, customer.sealedPin, resealed);
    return { kind: 'right', customer };
  }
  return refused(taken);
}

export function refused({ attemptsLeft, lockedMs }: { readonly attemptsLeft: number; readonly lockedMs: number }) {
  return lockedMs > 0 ? ({ kind: 'locked', lockedMs } as const) : ({ kind: 'wrong', attemptsLeft } as const);
}

/** Compares and says how it went; whether it was right. */
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
    // That a PIN does not open is not the subscriber's fault.
    await store.settleAttempt(attempt, 'void', limits);
    throw error;
  }
  await store.settleAttempt(attempt, right ? 'right' : 'wrong', limits);
  return right;
}

/** Three wrong PINs lock. */
const attempts = 3;

export function attemptLimits(lockoutSeconds: number): AttemptLimits {
  return { attempts, lockMs: lockoutSeconds * 1000 };
}

export type IdsVerdict =
  | { readonly kind: 'found'; readonly customerIds: readonly string[] }
  | Extract<PinVerdict, { kind: 'wrong' | 'locked' }>;

/**
 * Which accounts of a phone have a PIN: for its owner, who forgot the Customer ID. Takes an attempt first, of the phone and of each account;
 * an account whose PIN it is not has one less from then on.
 *
 * @throws {ServiceError} `internal` if a sealed PIN does not open; whatever the store rejects with.
 */
export async function findCustomerIds(
  of: { readonly key: string; readonly phone: string },
  pin: string,
  { store, vault, limits }: PinCheck,
): Promise<IdsVerdict> {
  const taken = await store.takePhoneAttempt(of, limits);
  if (taken.kind === 'locked') return taken;
  const mayMatch = taken.kind === 'taken' || taken.right;
  const matching = taken.accounts.filter(({ id, sealedPin }) => vault.matches(id, sealedPin, pin));
  const customerIds = mayMatch ? matching.map(({ id }) => id) : [];
  if (taken.kind === 'taken') await store.settlePhoneAttempt(of.key, customerIds, limits);
  return customerIds.length > 0 ? { kind: 'found', customerIds } : refused(taken);
}
