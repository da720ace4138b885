import type { Table } from '../../table.js';
import { type Account, makeAccounts } from './accounts.js';
import { type Delegation, makeDelegations, makeValidators, type Validator } from './validators.js';

/** Who has what: the same at every height and every start. */
export interface Ledger {
  readonly accounts: Table<Account>;
  readonly everybody: readonly Account[];
  readonly delegations: readonly Delegation[];
  readonly validators: Table<Validator>;
}

let made: Ledger | undefined;

/** Made once in a process: nodes share what never changes. */
export function ledger(): Ledger {
  if (made !== undefined) return made;
  const accounts = makeAccounts();
  const everybody = accounts.page({
    key: Buffer.alloc(0),
    offset: '0',
    limit: '1000',
    count_total: false,
    reverse: false,
  }).items;
  const delegations = makeDelegations(everybody);
  made = { accounts, everybody, delegations, validators: makeValidators(delegations) };
  return made;
}
