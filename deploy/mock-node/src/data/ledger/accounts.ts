import { createECDH, createHash } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { type Table, table } from '../../table.js';
import { makeAgents } from '../agents.js';
import { bech32 } from '../encodings.js';
import { address } from '../identifiers.js';
import { digest, seeded } from '../seeded.js';

/** An account of a person. Amounts are in the base unit, `uixo`. */
export interface Account {
  readonly address: string;
  readonly number: number;
  readonly sequence: number;
  /** secp256k1, compressed; undefined for an account that has never signed. */
  readonly publicKey: Buffer | undefined;
  readonly balance: bigint;
  /** Of what came over IBC. */
  readonly atoms: bigint;
}

/**
 * Account 0 of the mnemonic `abandon … about` at m/44'/118'/0'/0/0, which every wallet can open: for trying clients that sign.
 */
export const TEST_WALLET = 'ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx';

/** What came over channel-0 from the chain at its other end. */
export const ATOM_PATH = 'transfer/channel-0';
export const ATOM_DENOM = `ibc/${createHash('sha256').update(`${ATOM_PATH}/uatom`).digest('hex').toUpperCase()}`;

const PERSONAL = 1_000_000_000n;

/** Accounts by address: the wallet for trials, and those of the people of this chain. */
export function makeAccounts(): Table<Account> {
  const people = makeAgents().map(({ name, address: of }, index): Account => {
    const random = seeded(`account ${name}`);
    return {
      address: of,
      number: index + 2,
      sequence: random.int(0, 500),
      publicKey: signingKey(name),
      balance: BigInt(random.int(1_000_000, 900_000_000)),
      atoms: random.chance(0.3) ? BigInt(random.int(1_000, 9_000_000)) : 0n,
    };
  });
  const trials = {
    address: TEST_WALLET,
    number: 1,
    sequence: 0,
    publicKey: undefined,
    balance: PERSONAL,
    atoms: 5_000_000n,
  };
  return table([trials, ...people], (account) => account.address);
}

/** Addresses of the modules that own something. */
export const MODULES = [
  'bonded_tokens_pool',
  'distribution',
  'fee_collector',
  'gov',
  'not_bonded_tokens_pool',
  'transfer',
];

/** The address of a module: the first 20 bytes of the hash of its name. */
export function moduleAddress(name: string): string {
  return bech32('ixo', createHash('sha256').update(name).digest().subarray(0, 20));
}

/** The address of a validator as its own kind has it: `ixovaloper1…`, `ixovalcons1…`. */
export function validatorAddress(number: number, kind: 'valoper' | 'valcons'): string {
  return bech32(`ixo${kind}`, digest(`${kind} ${number}`).subarray(0, 20));
}

/** The account behind a validator. */
export function operatorAccount(number: number): string {
  return address(`operator ${number}`);
}

function signingKey(name: string): Buffer {
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(digest(`signing key ${name}`));
  return curve.getPublicKey(null, 'compressed');
}

/** An account as accounts are stored: a message in an Any. */
export function accountJson({ address: of, number, sequence, publicKey }: Account): JsonObject {
  return {
    address: of,
    pub_key:
      publicKey === undefined
        ? null
        : { '@type': '/cosmos.crypto.secp256k1.PubKey', key: publicKey.toString('base64') },
    account_number: String(number),
    sequence: String(sequence),
  };
}
