import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { textAt } from '../fixtures/template.js';
import type { JsonServices } from '../serving/json-service.js';
import type { JsonQuery } from '../serving/unary.js';
import { StatusError } from '../status-error.js';

/**
 * The queries of the CW20 contract: `token_info`, and `balance`, which equals the account's balance of `uixo`.
 *
 * @param stored the query for a stored value of the contract
 * @param balance the query for the balance of an account
 */
export function wasmService(stored: JsonQuery, balance: JsonQuery): JsonServices {
  return {
    'cosmwasm.wasm.v1.Query': {
      SmartContractState: {
        example: { address: textAt(stored.example, 'address'), query_data: base64('{"token_info":{}}') },
        answer(request, block) {
          const token = stored.answer({ ...request, query_data: base64('token_info') }, block);
          const query = parsed(textAt(request, 'query_data'));
          if (query['token_info'] !== undefined) return token;
          const address = textAt(query, 'balance.address');
          if (query['balance'] !== undefined) {
            const found = balance.answer({ address, denom: 'uixo' }, block);
            return { data: base64(JSON.stringify({ balance: textAt(found, 'balance.amount') })) };
          }
          const [name = ''] = Object.keys(query);
          const text = `Error parsing into type cw20_base::msg::QueryMsg: unknown variant \`${name}\``;
          throw new StatusError(status.UNKNOWN, `${text}: query wasm contract failed`);
        },
      },
    },
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function parsed(data: string): JsonObject {
  try {
    const query: unknown = JSON.parse(Buffer.from(data, 'base64').toString());
    if (typeof query === 'object' && query !== null) return query as JsonObject;
  } catch {
    // Refused below, like any other text.
  }
  throw new StatusError(status.INVALID_ARGUMENT, 'invalid query data');
}
