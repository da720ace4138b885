import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { address } from '../data/identifiers.js';
import { TEST_WALLET } from '../data/ledger/accounts.js';
import type { Ledger } from '../data/ledger/ledger.js';
import { digest } from '../data/seeded.js';
import { jsonPage } from '../serving/json-page.js';
import { type JsonServices, textOf } from '../serving/json-service.js';
import { StatusError } from '../status-error.js';
import { table } from '../table.js';

const CW20_CONTRACT = address('cw20', 'contract');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const json = (value: unknown) => base64(JSON.stringify(value));

const TOKEN = { name: 'Credits', symbol: 'CRD', decimals: 6, total_supply: '1000000000' };
const CODE: JsonObject = {
  code_id: '1',
  creator: TEST_WALLET,
  data_hash: digest('cw20 code').toString('base64'),
  instantiate_permission: { permission: 'ACCESS_TYPE_EVERYBODY', addresses: [] },
};
const MODELS = [
  {
    key: Buffer.from('contract_info').toString('base64'),
    value: json({ contract: 'crates.io:cw20-base', version: '1.1.0' }),
  },
  { key: Buffer.from('token_info').toString('base64'), value: json(TOKEN) },
];

/** One contract: a token, that answers `token_info` and `balance`, and in which everybody has what they have of `uixo`. */
export function wasmService({ accounts }: Ledger): JsonServices {
  const ofContract = { address: CW20_CONTRACT };
  const requireContract = (request: JsonObject) => {
    if (textOf(request, 'address') !== CW20_CONTRACT) {
      throw new StatusError(status.NOT_FOUND, `no such contract: address ${textOf(request, 'address')}`);
    }
  };
  const smart = (query: Record<string, { address?: string } | undefined>): unknown => {
    if (query['token_info'] !== undefined) return TOKEN;
    const of = query['balance']?.address;
    if (of !== undefined) return { balance: String(accounts.get(of)?.balance ?? 0n) };
    const [name = ''] = Object.keys(query);
    const text = `Error parsing into type cw20_base::msg::QueryMsg: unknown variant \`${name}\``;
    throw new StatusError(status.UNKNOWN, `${text}: query wasm contract failed`);
  };
  const contracts = table([CW20_CONTRACT], (address) => address);
  return {
    'cosmwasm.wasm.v1.Query': {
      ContractInfo: {
        example: ofContract,
        answer: (request) => {
          requireContract(request);
          const created = { block_height: '10', tx_index: '0' };
          const info = { code_id: '1', creator: TEST_WALLET, admin: '', label: 'credits', created };
          return { address: CW20_CONTRACT, contract_info: info };
        },
      },
      ContractHistory: {
        example: ofContract,
        answer: (request) => {
          requireContract(request);
          const entry = {
            operation: 'CONTRACT_CODE_HISTORY_OPERATION_TYPE_INIT',
            code_id: '1',
            msg: json({ name: TOKEN.name, symbol: TOKEN.symbol, decimals: TOKEN.decimals, initial_balances: [] }),
          };
          return { entries: [entry] };
        },
      },
      ContractsByCode: { example: { code_id: '1' }, answer: (request) => jsonPage('contracts', contracts, request) },
      ContractsByCreator: {
        example: { creator_address: TEST_WALLET },
        answer: (request) => jsonPage('contract_addresses', contracts, request),
      },
      AllContractState: {
        example: ofContract,
        answer: (request) => {
          requireContract(request);
          return jsonPage(
            'models',
            table(MODELS, ({ key }) => key),
            request,
          );
        },
      },
      RawContractState: {
        example: { ...ofContract, query_data: base64('token_info') },
        answer: (request) => {
          requireContract(request);
          return { data: MODELS.find(({ key }) => key === request['query_data'])?.value ?? '' };
        },
      },
      SmartContractState: {
        example: { ...ofContract, query_data: json({ token_info: {} }) },
        answer: (request) => {
          requireContract(request);
          return { data: json(smart(parsed(textOf(request, 'query_data')))) };
        },
      },
      Code: { example: { code_id: '1' }, answer: () => ({ code_info: CODE, data: base64('\0asm') }) },
      Codes: {
        example: {},
        answer: (request) =>
          jsonPage(
            'code_infos',
            table([CODE], () => '1'),
            request,
          ),
      },
      PinnedCodes: { example: {}, answer: () => ({ code_ids: ['1'] }) },
      Params: {
        example: {},
        answer: () => ({
          params: {
            code_upload_access: { permission: 'ACCESS_TYPE_NOBODY' },
            instantiate_default_permission: 'ACCESS_TYPE_EVERYBODY',
          },
        }),
      },
    },
  };
}

function parsed(data: string): Record<string, { address?: string } | undefined> {
  try {
    return JSON.parse(Buffer.from(data, 'base64').toString());
  } catch {
    throw new StatusError(status.INVALID_ARGUMENT, 'invalid query data');
  }
}
