import type { Customer, NewCustomer } from '../../accounts/account.js';
import { checkPin, findCustomerIds, type PinCheck, type PinVerdict } from '../../accounts/check-pin.js';
import { freshCustomerId } from '../../accounts/random-codes.js';
import { type EffectRequest, type RunCheck, UnusableRequest } from '../../effects/effect.js';
import type { EffectOutcome } from '../../engine/position.js';
import { type accountActs, type accountChecks, shownName } from './account-operations.js';

export interface Accounts extends PinCheck {
  /** Accounts that one phone may create within 24 hours. */
  readonly accountsPerDay: number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** With a trillion ids, collisions are so rare that a fifth one in a row is a fault. */
const maxIdTries = 5;

/** Runs the account checks of flows. */
export function runAccountChecks(accounts: Accounts): Readonly<Record<keyof typeof accountChecks, RunCheck>> {
  const check = (request: EffectRequest, customerId: string): Promise<PinVerdict> =>
    checkPin({ key: request.key, customerId, phone: request.phoneNumber }, secretOf(request), accounts);
  return {
    logIn: async (request) => {
      const verdict = await check(request, entryOf(request, 'customerId'));
      if (verdict.kind === 'oneTimeCode') return { result: 'code', facts: { codeGrant: request.key } };
      if (verdict.kind !== 'right') return refusal(verdict);
      return { result: 'right', ...loggedIn(verdict.customer) };
    },
    findIds: async (request) => {
      const verdict = await findCustomerIds(
        { key: request.key, phone: request.phoneNumber },
        secretOf(request),
        accounts,
      );
      if (verdict.kind !== 'found') return refusal(verdict);
      return { result: 'found', facts: { customerIds: verdict.customerIds.join(', ') } };
    },
    checkPin: async (request) => {
      const verdict = await check(request, accountOf(request));
      if (verdict.kind === 'oneTimeCode') throw new Error('a code has eight digits, a PIN five');
      return verdict.kind === 'right' ? { result: 'right' } : refusal(verdict);
    },
  };
}

type AccountAct = (request: EffectRequest) => Promise<EffectOutcome>;

/** Runs the account acts of flows. Each is safe to repeat with its key. */
export function runAccountEffects(accounts: Accounts): Readonly<Record<keyof typeof accountActs, AccountAct>> {
  const { store, vault } = accounts;
  return {
    createAccount: (request) => createCustomer(request, accounts),
    changePin: async (request) => {
      const customerId = accountOf(request);
      await store.setPin(customerId, vault.seal(customerId, secretOf(request)), request.key);
      return { result: 'changed' };
    },
    resetPin: async (request) => {
      const [customerId, grant] = [entryOf(request, 'customerId'), entryOf(request, 'codeGrant')];
      const customer = await store.resetPin(customerId, grant, vault.seal(customerId, secretOf(request)));
      return customer === undefined ? { result: 'over' } : { result: 'changed', ...loggedIn(customer) };
    },
    setLanguage: async (request) => {
      const language = request.with['language'] ?? request.language;
      await store.setLanguage(request.phoneNumber, language);
      return { result: 'set', language };
    },
  };
}

async function createCustomer(request: EffectRequest, accounts: Accounts): Promise<EffectOutcome> {
  const fields: Omit<NewCustomer, 'id' | 'sealedPin'> = {
    creationKey: request.key,
    fullName: entryOf(request, 'name'),
    email: request.entries['email'],
    phone: request.phoneNumber,
  };
  for (let attempt = 0; attempt < maxIdTries; attempt++) {
    const id = freshCustomerId(accounts.randomBytes);
    const sealedPin = accounts.vault.seal(id, secretOf(request));
    const creation = await accounts.store.createCustomer({ ...fields, id, sealedPin }, accounts.accountsPerDay);
    if (creation.kind === 'limited') return { result: 'limited' };
    if (creation.kind === 'created') return { result: 'created', facts: { customerId: creation.customerId } };
  }
  throw new Error('no free Customer ID was found');
}

function loggedIn({ id, fullName, email }: Customer) {
  const facts = { customerId: id, name: fullName, shownName: shownName(fullName), email: email ?? '-' };
  return { account: id, facts };
}

function refusal(verdict: Extract<PinVerdict, { kind: 'wrong' | 'locked' }>): EffectOutcome {
  if (verdict.kind === 'wrong') return { result: 'wrong', facts: { attemptsLeft: String(verdict.attemptsLeft) } };
  return { result: 'locked', facts: { minutes: String(Math.ceil(verdict.lockedMs / 60_000)) } };
}

function secretOf({ secret, effect }: EffectRequest): string {
  if (secret === undefined) throw new UnusableRequest(`effect ${effect} needs a secret`);
  return secret;
}

function entryOf({ entries, effect }: EffectRequest, name: string): string {
  const value = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (value === undefined) throw new UnusableRequest(`effect ${effect} needs the entry ${name}`);
  return value;
}

function accountOf({ account, effect }: EffectRequest): string {
  if (account === undefined) throw new UnusableRequest(`effect ${effect} needs a logged-in subscriber`);
  return account;
}
