import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { type Block, GENESIS_MS } from '../../chain-clock.js';
import { decimal } from '../../data/amounts.js';
import { address } from '../../data/identifiers.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';

const HOUR_MS = 3_600_000;
const LENGTHS_MS: Readonly<Record<string, number>> = { day: 24 * HOUR_MS, hour: HOUR_MS, week: 7 * 24 * HOUR_MS };

/** Epochs are counted since the genesis, the first of them 1; at the end of each day something is minted. */
export function epochServices(): JsonServices {
  return {
    'ixo.epochs.v1beta1.Query': {
      EpochInfos: {
        example: {},
        answer: (_, block) => ({ epochs: Object.keys(LENGTHS_MS).map((identifier) => epochInfo(identifier, block)) }),
      },
      CurrentEpoch: {
        example: { identifier: 'day' },
        answer: (request, block) => {
          const identifier = textOf(request, 'identifier');
          if (LENGTHS_MS[identifier] === undefined) {
            throw new StatusError(status.NOT_FOUND, `not available identifier: ${identifier}`);
          }
          return { current_epoch: epochInfo(identifier, block)['current_epoch'] ?? '0' };
        },
      },
    },
    'ixo.mint.v1beta1.Query': {
      Params: {
        example: {},
        answer: () => ({
          params: {
            mint_denom: 'uixo',
            genesis_epoch_provisions: decimal('821917808219'),
            epoch_identifier: 'day',
            reduction_period_in_epochs: '365',
            reduction_factor: decimal('0.666666666666666666'),
            distribution_proportions: {
              staking: decimal('0.6'),
              impact_rewards: decimal('0.3'),
              community_pool: decimal('0.1'),
            },
            weighted_impact_rewards_receivers: [{ address: address('impact rewards'), weight: decimal('1') }],
            minting_rewards_distribution_start_epoch: '1',
          },
        }),
      },
      EpochProvisions: { example: {}, answer: () => ({ epoch_provisions: decimal('821917808219') }) },
    },
  };
}

function epochInfo(identifier: string, { timeMs }: Block): JsonObject {
  const lengthMs = LENGTHS_MS[identifier] ?? HOUR_MS;
  const past = Math.floor((timeMs - GENESIS_MS) / lengthMs);
  const startMs = GENESIS_MS + past * lengthMs;
  return {
    identifier,
    start_time: new Date(GENESIS_MS).toISOString(),
    duration: `${lengthMs / 1000}s`,
    current_epoch: String(past + 1),
    current_epoch_start_time: new Date(startMs).toISOString(),
    epoch_counting_started: true,
    current_epoch_start_height: String(1 + (startMs - GENESIS_MS) / 6000),
  };
}
