import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { bech32 } from '../../data/encodings.js';
import { accountJson, MODULES, moduleAddress, TEST_WALLET } from '../../data/ledger/accounts.js';
import type { Ledger } from '../../data/ledger/ledger.js';
import { jsonPage } from '../../serving/json-page.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';
import { table } from '../../table.js';

const BASE_ACCOUNT = '/cosmos.auth.v1beta1.BaseAccount';
const FIRST_MODULE = 1000;

/** Accounts. One that nobody has paid yet is NOT_FOUND. */
export function authService({ accounts, everybody }: Ledger): JsonServices {
  const modules = MODULES.map((name, index): JsonObject => {
    const base = { address: moduleAddress(name), account_number: String(FIRST_MODULE + index), sequence: '0' };
    return { '@type': '/cosmos.auth.v1beta1.ModuleAccount', base_account: base, name, permissions: [] };
  });
  const list = table(
    everybody.map((account) => ({ '@type': BASE_ACCOUNT, ...accountJson(account) })),
    (account) => textOf(account, 'address'),
  );
  const find = (request: JsonObject) => {
    const address = textOf(request, 'address');
    const account = accounts.get(address);
    if (account === undefined) throw new StatusError(status.NOT_FOUND, `account ${address} not found`);
    return accountJson(account);
  };
  return {
    'cosmos.auth.v1beta1.Query': {
      Account: {
        example: { address: TEST_WALLET },
        answer: (request) => ({ account: { '@type': BASE_ACCOUNT, ...find(request) } }),
      },
      AccountInfo: { example: { address: TEST_WALLET }, answer: (request) => ({ info: find(request) }) },
      Accounts: { example: {}, answer: (request) => jsonPage('accounts', list, request) },
      ModuleAccounts: { example: {}, answer: () => ({ accounts: modules }) },
      ModuleAccountByName: {
        example: { name: 'gov' },
        answer: (request) => {
          const account = modules.find(({ name }) => name === request['name']);
          if (account === undefined) throw new StatusError(status.NOT_FOUND, 'account not found');
          return { account };
        },
      },
      AccountAddressByID: {
        example: { account_id: '1' },
        answer: (request) => {
          const id = textOf(request, 'account_id') === '0' ? textOf(request, 'id') : textOf(request, 'account_id');
          const account = everybody.find(({ number }) => String(number) === id);
          if (account === undefined) throw new StatusError(status.NOT_FOUND, `account address not found with id ${id}`);
          return { account_address: account.address };
        },
      },
      AddressBytesToString: {
        example: { address_bytes: Buffer.alloc(20, 1).toString('base64url') },
        answer: (request) => ({
          address_string: bech32('ixo', Buffer.from(textOf(request, 'address_bytes'), 'base64')),
        }),
      },
      Bech32Prefix: { example: {}, answer: () => ({ bech32_prefix: 'ixo' }) },
      Params: {
        example: {},
        answer: () => ({
          params: {
            max_memo_characters: '256',
            tx_sig_limit: '7',
            tx_size_cost_per_byte: '10',
            sig_verify_cost_ed25519: '590',
            sig_verify_cost_secp256k1: '1000',
          },
        }),
      },
    },
  };
}
