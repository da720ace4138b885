import type { AccountStore, AttemptKey, AttemptLimits, Customer } from './account-store.js';
import type { PinVault } from './pin-vault.js';

export interface PinCheck {
  readonly store: AccountStore;
  readonly vault: PinVault;
  readonly limits: AttemptLimits;
}

export type PinVerdict =
  | { readonly kind: 'right'; readonly customer: Customer }
  | { readonly kind: 'wrong'; readonly attemptsLeft: number }
  | { readonly kind: 'locked'; readonly lockedMs: number };

/**
 * Checks a PIN: takes an attempt first, compares, and says how it went. A customer who does not exist has attempts and
 * locks like any other, and takes as long to compare.
 *
 * @throws {ServiceError} `internal` if the sealed PIN does not open: nothing is taken then; whatever the store rejects with.
 */
export async function checkPin(of: Omit<AttemptKey, 'isOwner'>, pin: string, check: PinCheck): Promise<PinVerdict> {
  const { store, vault, limits } = check;
  const customer = await store.findCustomer(of.customerId);
  const attempt: AttemptKey = { ...of, isOwner: customer?.phone === of.phone };
  // Before the attempt is taken: a PIN that does not open is not the subscriber's fault.
  const sealedPin = customer?.sealedPin ?? vault.seal(attempt.customerId, '');
  const matches = vault.matches(attempt.customerId, sealedPin, pin) && customer !== undefined;
  const taken = await store.takeAttempt(attempt, limits);
  if (taken.kind === 'locked') return taken;
  const right = taken.kind === 'settled' ? taken.right : matches;
  if (taken.kind === 'taken') await store.settleAttempt(attempt, right, limits);
  if (right && customer !== undefined) {
    const resealed = vault.reseal(customer.id, customer.sealedPin);
    if (resealed !== undefined) await store.replacePin(customer.id, customer.sealedPin, resealed);
    return { kind: 'right', customer };
  }
  const { attemptsLeft, lockedMs } = taken;
  return lockedMs > 0 ? { kind: 'locked', lockedMs } : { kind: 'wrong', attemptsLeft };
}
