import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { decimal } from '../../data/amounts.js';
import { moduleAddress, validatorAddress } from '../../data/ledger/accounts.js';
import { jsonPage } from '../../serving/json-page.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';
import { table } from '../../table.js';

const STAKED = 40_000_000n;
const validators = [1, 2].map((number) => validatorAddress(number, 'valoper'));

const POOL: JsonObject = {
  pool_id: 'zero',
  liquid_bond_denom: 'uzero',
  proxy_account_address: moduleAddress('liquidstake/zero'),
  whitelisted_validators: validators.map((validator_address) => ({ validator_address, target_weight: '5000' })),
  unstake_fee_rate: decimal('0.001'),
  fee_account_address: moduleAddress('liquidstake/fees'),
  autocompound_fee_rate: decimal('0.05'),
  whitelist_admin_address: moduleAddress('gov'),
  paused: false,
  weighted_rewards_receivers: [],
};

/** One pool, half of it with each of two validators, in which nothing was earned yet: a token of it is worth what was staked for it. */
export function liquidStakeService(): JsonServices {
  const inPool = (answer: JsonObject) => ({
    example: { pool_id: 'zero' },
    answer: (request: JsonObject) => {
      if (textOf(request, 'pool_id') !== 'zero') throw new StatusError(status.NOT_FOUND, 'pool not found');
      return answer;
    },
  });
  const half = String(STAKED / 2n);
  const liquid = validators.map((operator_address) => ({
    ...{ operator_address, weight: '5000', status: 'VALIDATOR_STATUS_ACTIVE' },
    ...{ del_shares: decimal(half), liquid_tokens: half },
  }));
  const whole = String(STAKED);
  return {
    'ixo.liquidstake.v1beta1.Query': {
      ModuleParams: {
        example: {},
        answer: () => ({ module_params: { min_liquid_stake_amount: '1000', module_paused: false } }),
      },
      Pool: inPool({ pool: POOL }),
      Pools: {
        example: {},
        answer: (request) =>
          jsonPage(
            'pools',
            table([POOL], () => 'zero'),
            request,
          ),
      },
      LiquidValidators: inPool({ liquid_validators: liquid }),
      States: inPool({
        net_amount_state: {
          stake_rate: decimal('1'),
          unstake_rate: decimal('1'),
          stkixo_total_supply: whole,
          net_amount: decimal(whole),
          total_del_shares: decimal(whole),
          total_liquid_tokens: whole,
          total_remaining_rewards: decimal('0'),
          total_unbonding_balance: '0',
          proxy_acc_balance: '0',
        },
      }),
    },
  };
}
