import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { TEST_WALLET } from '../../data/ledger/accounts.js';
import type { Ledger } from '../../data/ledger/ledger.js';
import { jsonPage } from '../../serving/json-page.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';
import { table } from '../../table.js';

/** The wallet for trials lets the first of the people pay fees from it, and vote for it. */
export function grantServices({ everybody }: Ledger): JsonServices {
  const grantee = everybody.find(({ address }) => address !== TEST_WALLET)?.address ?? '';
  const ends = '2030-01-01T00:00:00Z';
  const both = { granter: TEST_WALLET, grantee };
  const allowance: JsonObject = {
    ...both,
    allowance: {
      '@type': '/cosmos.feegrant.v1beta1.BasicAllowance',
      spend_limit: [{ denom: 'uixo', amount: '500000' }],
      expiration: ends,
    },
  };
  const authorization = { '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg: '/cosmos.gov.v1.MsgVote' };
  const isBetween = (request: JsonObject) =>
    (['granter', 'grantee'] as const).every((side) => [both[side], ''].includes(textOf(request, side)));
  const page = (name: string, item: JsonObject) => (request: JsonObject) =>
    jsonPage(
      name,
      table(isBetween(request) ? [item] : [], () => grantee),
      request,
    );
  return {
    'cosmos.feegrant.v1beta1.Query': {
      Allowance: {
        example: both,
        answer: (request) => {
          if (!isBetween(request)) throw new StatusError(status.INTERNAL, 'fee-grant not found: not found');
          return { allowance };
        },
      },
      Allowances: { example: { grantee }, answer: page('allowances', allowance) },
      AllowancesByGranter: { example: { granter: TEST_WALLET }, answer: page('allowances', allowance) },
    },
    'cosmos.authz.v1beta1.Query': {
      Grants: { example: both, answer: page('grants', { authorization, expiration: ends }) },
      GranterGrants: {
        example: { granter: TEST_WALLET },
        answer: page('grants', { ...both, authorization, expiration: ends }),
      },
      GranteeGrants: { example: { grantee }, answer: page('grants', { ...both, authorization, expiration: ends }) },
    },
  };
}
