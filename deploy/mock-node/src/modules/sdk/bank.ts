import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { type Account, ATOM_DENOM, TEST_WALLET } from '../../data/ledger/accounts.js';
import type { Ledger } from '../../data/ledger/ledger.js';
import { jsonPage } from '../../serving/json-page.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';
import { table } from '../../table.js';

const METADATA: JsonObject = {
  description: 'The token of the chain.',
  denom_units: [
    { denom: 'uixo', exponent: 0, aliases: ['microixo'] },
    { denom: 'ixo', exponent: 6 },
  ],
  base: 'uixo',
  display: 'ixo',
  name: 'IXO',
  symbol: 'IXO',
};

/** What accounts have. One that nobody knows has nothing. */
export function bankService({ accounts, everybody, delegations }: Ledger): JsonServices {
  const bonded = delegations.reduce((sum, { amount }) => sum + amount, 0n);
  const total = everybody.reduce((sum, { balance }) => sum + balance, bonded);
  const supply = coins(
    total,
    everybody.reduce((sum, { atoms }) => sum + atoms, 0n),
  );
  const supplies = table(supply, denomOf);
  const coinsOf = (request: JsonObject) => coinsOfAccount(accounts.get(textOf(request, 'address')));
  const one = (list: readonly JsonObject[], request: JsonObject): JsonObject => {
    const denom = textOf(request, 'denom');
    return list.find((coin) => denomOf(coin) === denom) ?? { denom, amount: '0' };
  };
  const balances = {
    example: { address: TEST_WALLET },
    answer: (request: JsonObject) => jsonPage('balances', table(coinsOf(request), denomOf), request),
  };
  const balance = {
    example: { address: TEST_WALLET, denom: 'uixo' },
    answer: (request: JsonObject) => ({ balance: one(coinsOf(request), request) }),
  };
  const metadata = {
    example: { denom: 'uixo' },
    answer: (request: JsonObject) => {
      if (textOf(request, 'denom') !== 'uixo')
        throw new StatusError(status.NOT_FOUND, 'client metadata for denom not found');
      return { metadata: METADATA };
    },
  };
  const owners = {
    example: { denom: 'uixo' },
    answer: (request: JsonObject) => {
      const list = everybody.map((each) => ({ address: each.address, balance: one(coinsOfAccount(each), request) }));
      return jsonPage(
        'denom_owners',
        table(list, (owner) => owner.address),
        request,
      );
    },
  };
  return {
    'cosmos.bank.v1beta1.Query': {
      Balance: balance,
      AllBalances: balances,
      SpendableBalances: balances,
      SpendableBalanceByDenom: balance,
      TotalSupply: { example: {}, answer: (request) => jsonPage('supply', supplies, request) },
      SupplyOf: { example: { denom: 'uixo' }, answer: (request) => ({ amount: one(supply, request) }) },
      Params: { example: {}, answer: () => ({ params: { default_send_enabled: true } }) },
      DenomMetadata: metadata,
      DenomMetadataByQueryString: metadata,
      DenomsMetadata: {
        example: {},
        answer: (request) =>
          jsonPage(
            'metadatas',
            table([METADATA], () => 'uixo'),
            request,
          ),
      },
      DenomOwners: owners,
      DenomOwnersByQuery: owners,
      SendEnabled: { example: {}, answer: () => ({ send_enabled: [] }) },
    },
  };
}

function coinsOfAccount(account: Account | undefined): JsonObject[] {
  return account === undefined ? [] : coins(account.balance, account.atoms);
}

/** In the order of a store, without those there are none of. */
function coins(uixo: bigint, atoms: bigint): JsonObject[] {
  const own = { denom: 'uixo', amount: String(uixo) };
  return atoms === 0n ? [own] : [{ denom: ATOM_DENOM, amount: String(atoms) }, own];
}

function denomOf(coin: JsonObject): string {
  return textOf(coin, 'denom');
}
