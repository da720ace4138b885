import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { decimal } from '../../data/amounts.js';
import { TEST_WALLET, validatorAddress } from '../../data/ledger/accounts.js';
import type { Ledger } from '../../data/ledger/ledger.js';
import type { Delegation, Validator } from '../../data/ledger/validators.js';
import { jsonPage } from '../../serving/json-page.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';
import { table } from '../../table.js';

/** Validators and what was given to them. */
export function stakingService({ delegations, validators }: Ledger): JsonServices {
  const all = [1, 2, 3, 4, 5].flatMap((number) => validators.get(validatorAddress(number, 'valoper')) ?? []);
  const find = (request: JsonObject): Validator => {
    const operator = textOf(request, 'validator_addr');
    const validator = validators.get(operator);
    if (validator === undefined) throw new StatusError(status.NOT_FOUND, `validator ${operator} not found`);
    return validator;
  };
  const by = (request: JsonObject) =>
    delegations.filter(
      ({ delegator, validator }) =>
        [delegator, ''].includes(textOf(request, 'delegator_addr')) &&
        [validator, ''].includes(textOf(request, 'validator_addr')),
    );
  const page = (request: JsonObject) => {
    // The text of each begins with who gave to whom.
    const list = by(request).map(delegationJson);
    return jsonPage(
      'delegation_responses',
      table(list, (each) => JSON.stringify(each)),
      request,
    );
  };
  const ofOne = { delegator_addr: TEST_WALLET };
  const first = { validator_addr: validatorAddress(1, 'valoper') };
  const chosen = delegations.find(({ delegator }) => delegator === TEST_WALLET);
  const both = { delegator_addr: TEST_WALLET, validator_addr: chosen?.validator ?? '' };
  const none = { example: ofOne, answer: () => ({ unbonding_responses: [], pagination: { total: '0' } }) };
  return {
    'cosmos.staking.v1beta1.Query': {
      Validators: {
        example: {},
        answer: (request) => {
          const wanted = textOf(request, 'status');
          const list = all.map(({ json }) => json).filter((json) => wanted === '' || json['status'] === wanted);
          return jsonPage(
            'validators',
            table(list, (json) => textOf(json, 'operator_address')),
            request,
          );
        },
      },
      Validator: { example: first, answer: (request) => ({ validator: find(request).json }) },
      ValidatorDelegations: { example: first, answer: page },
      ValidatorUnbondingDelegations: { ...none, example: first },
      Delegation: {
        example: both,
        answer: (request) => {
          const [delegation] = by(request);
          if (delegation === undefined) {
            const who = `${textOf(request, 'delegator_addr')} not found for validator ${textOf(request, 'validator_addr')}`;
            throw new StatusError(status.NOT_FOUND, `delegation with delegator ${who}`);
          }
          return { delegation_response: delegationJson(delegation) };
        },
      },
      DelegatorDelegations: { example: ofOne, answer: page },
      DelegatorUnbondingDelegations: none,
      Redelegations: { example: ofOne, answer: () => ({ redelegation_responses: [] }) },
      DelegatorValidators: {
        example: ofOne,
        answer: (request) => {
          const list = by(request).flatMap(({ validator }): JsonObject[] => {
            const found = validators.get(validator);
            return found === undefined ? [] : [found.json];
          });
          return jsonPage(
            'validators',
            table(list, (json) => textOf(json, 'operator_address')),
            request,
          );
        },
      },
      DelegatorValidator: { example: both, answer: (request) => ({ validator: find(request).json }) },
      Pool: {
        example: {},
        answer: () => {
          const sum = (list: readonly Validator[]) => String(list.reduce((total, { tokens }) => total + tokens, 0n));
          const jailed = all.filter(({ json }) => json['jailed'] === true);
          const bonded = all.filter(({ json }) => json['jailed'] !== true);
          return { pool: { not_bonded_tokens: sum(jailed), bonded_tokens: sum(bonded) } };
        },
      },
      Params: {
        example: {},
        answer: () => ({
          params: {
            unbonding_time: '1814400s',
            max_validators: 50,
            max_entries: 7,
            historical_entries: 10_000,
            bond_denom: 'uixo',
            min_commission_rate: decimal('0'),
          },
        }),
      },
    },
  };
}

function delegationJson({ delegator, validator, amount }: Delegation): JsonObject {
  return {
    delegation: { delegator_address: delegator, validator_address: validator, shares: decimal(String(amount)) },
    balance: { denom: 'uixo', amount: String(amount) },
  };
}
