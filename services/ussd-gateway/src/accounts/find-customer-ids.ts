import { type PinCheck, type PinVerdict, refused } from './check-pin.js';

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
