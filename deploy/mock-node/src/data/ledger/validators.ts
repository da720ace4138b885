import type { JsonObject } from '@bufbuild/protobuf';
import { type Table, table } from '../../table.js';
import { decimal } from '../amounts.js';
import { publicKey } from '../identifiers.js';
import { seeded } from '../seeded.js';
import { type Account, validatorAddress } from './accounts.js';

/** A validator, and the shares its delegators have: one for each unit. */
export interface Validator {
  readonly number: number;
  readonly operator: string;
  readonly tokens: bigint;
  readonly json: JsonObject;
}

/** What an account has given to a validator, in the base unit. */
export interface Delegation {
  readonly delegator: string;
  readonly validator: string;
  readonly amount: bigint;
}

const VALIDATOR_COUNT = 5;

/** Two delegations of each account, none to itself. */
export function makeDelegations(accounts: readonly Account[]): Delegation[] {
  return accounts.flatMap(({ address }, index) =>
    [0, 1].map((step) => ({
      delegator: address,
      validator: validatorAddress(((index + step) % VALIDATOR_COUNT) + 1, 'valoper'),
      amount: BigInt(seeded(`delegation ${address} ${step}`).int(1_000_000, 50_000_000)),
    })),
  );
}

/** Validators by their operator address, the last one jailed and unbonding. */
export function makeValidators(delegations: readonly Delegation[]): Table<Validator> {
  const validators = Array.from({ length: VALIDATOR_COUNT }, (_, index): Validator => {
    const number = index + 1;
    const operator = validatorAddress(number, 'valoper');
    const tokens = delegations
      .filter(({ validator }) => validator === operator)
      .reduce((sum, { amount }) => sum + amount, 0n);
    const isJailed = number === VALIDATOR_COUNT;
    return { number, operator, tokens, json: validatorJson(number, operator, tokens, isJailed) };
  });
  return table(validators, ({ operator }) => operator);
}

function validatorJson(number: number, operator: string, tokens: bigint, isJailed: boolean): JsonObject {
  return {
    operator_address: operator,
    consensus_pubkey: consensusKey(number),
    jailed: isJailed,
    status: isJailed ? 'BOND_STATUS_UNBONDING' : 'BOND_STATUS_BONDED',
    tokens: String(tokens),
    delegator_shares: decimal(String(tokens)),
    description: {
      moniker: `validator-${number}`,
      website: `https://validator-${number}.example`,
      details: 'Keeps time.',
    },
    unbonding_height: isJailed ? '1200' : '0',
    unbonding_time: isJailed ? '2024-02-01T00:00:00Z' : '1970-01-01T00:00:00Z',
    commission: {
      commission_rates: { rate: decimal(`0.0${number}`), max_rate: decimal('0.2'), max_change_rate: decimal('0.01') },
      update_time: '2024-01-01T00:00:00Z',
    },
    min_self_delegation: '1',
  };
}

/** The key a validator signs blocks with. */
export function consensusKey(number: number): JsonObject {
  return {
    '@type': '/cosmos.crypto.ed25519.PubKey',
    key: publicKey(`validator ${number}`).toString('base64'),
  };
}
