import type { JsonObject } from '@bufbuild/protobuf';
import { decimal } from '../../data/amounts.js';
import { operatorAccount, TEST_WALLET, validatorAddress } from '../../data/ledger/accounts.js';
import type { Ledger } from '../../data/ledger/ledger.js';
import type { Delegation } from '../../data/ledger/validators.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';

/** What was earned: a thousandth of each delegation, whoever asks and whenever. */
export function distributionService({ delegations }: Ledger): JsonServices {
  const of = (request: JsonObject) =>
    delegations.filter(({ delegator }) => delegator === textOf(request, 'delegator_address'));
  const ofOne = { delegator_address: TEST_WALLET };
  const first = { validator_address: validatorAddress(1, 'valoper') };
  const chosen = delegations.find(({ delegator }) => delegator === TEST_WALLET);
  return {
    'cosmos.distribution.v1beta1.Query': {
      Params: {
        example: {},
        answer: () => ({
          params: {
            community_tax: decimal('0.02'),
            base_proposer_reward: decimal('0'),
            bonus_proposer_reward: decimal('0'),
            withdraw_addr_enabled: true,
          },
        }),
      },
      ValidatorDistributionInfo: {
        example: first,
        answer: () => ({ operator_address: operatorAccount(1), self_bond_rewards: [], commission: coins('12.5') }),
      },
      ValidatorOutstandingRewards: {
        example: first,
        answer: () => ({ rewards: { rewards: coins('4321.000000000000000001') } }),
      },
      ValidatorCommission: { example: first, answer: () => ({ commission: { commission: coins('12.5') } }) },
      ValidatorSlashes: { example: first, answer: () => ({ slashes: [], pagination: { total: '0' } }) },
      DelegationRewards: {
        example: { ...ofOne, validator_address: chosen?.validator ?? '' },
        answer: (request) => ({
          rewards: of(request)
            .filter(({ validator }) => validator === request['validator_address'])
            .flatMap(earned),
        }),
      },
      DelegationTotalRewards: {
        example: ofOne,
        answer: (request) => {
          const rewards = of(request).map((each) => ({ validator_address: each.validator, reward: earned(each) }));
          const total = of(request).reduce((sum, { amount }) => sum + amount, 0n);
          return { rewards, total: total === 0n ? [] : [thousandth(total)] };
        },
      },
      DelegatorValidators: {
        example: ofOne,
        answer: (request) => ({ validators: of(request).map(({ validator }) => validator) }),
      },
      DelegatorWithdrawAddress: {
        example: ofOne,
        answer: (request) => ({ withdraw_address: textOf(request, 'delegator_address') }),
      },
      CommunityPool: { example: {}, answer: () => ({ pool: coins('1234567.89') }) },
    },
  };
}

function coins(amount: string): JsonObject[] {
  return [{ denom: 'uixo', amount: decimal(amount) }];
}

function earned({ amount }: Delegation): JsonObject[] {
  return [thousandth(amount)];
}

function thousandth(amount: bigint): JsonObject {
  return { denom: 'uixo', amount: String(amount * 10n ** 15n) };
}
