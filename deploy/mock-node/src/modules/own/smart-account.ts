import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { moduleAddress, TEST_WALLET } from '../../data/ledger/accounts.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';

/** The wallet for trials may also sign as one of its authenticators, which takes nothing but sends. */
const AUTHENTICATOR: JsonObject = {
  id: '1',
  type: 'MessageFilter',
  config: Buffer.from('{"@type":"/cosmos.bank.v1beta1.MsgSend"}').toString('base64'),
};

export function smartAccountService(): JsonServices {
  const isTrials = (request: JsonObject) => textOf(request, 'account') === TEST_WALLET;
  return {
    'ixo.smartaccount.v1beta1.Query': {
      Params: {
        example: {},
        answer: () => ({
          params: {
            maximum_unauthenticated_gas: '250000',
            is_smart_account_active: true,
            circuit_breaker_controllers: [moduleAddress('gov')],
          },
        }),
      },
      GetAuthenticator: {
        example: { account: TEST_WALLET, authenticator_id: '1' },
        answer: (request) => {
          const id = textOf(request, 'authenticator_id');
          if (!isTrials(request) || id !== '1')
            throw new StatusError(status.NOT_FOUND, `authenticator ${id} not found`);
          return { account_authenticator: AUTHENTICATOR };
        },
      },
      GetAuthenticators: {
        example: { account: TEST_WALLET },
        answer: (request) => ({ account_authenticators: isTrials(request) ? [AUTHENTICATOR] : [] }),
      },
    },
  };
}
