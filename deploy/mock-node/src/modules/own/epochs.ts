import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { type Block, GENESIS_MS } from '../../chain-clock.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';

const HOUR_MS = 3_600_000;
const LENGTHS_MS: Readonly<Record<string, number>> = { day: 24 * HOUR_MS, hour: HOUR_MS, week: 7 * 24 * HOUR_MS };

/** Epochs are counted since the genesis, the first of them 1. */
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
