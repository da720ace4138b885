import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { BLOCK_MS, type Block, GENESIS_MS } from '../chain-clock.js';
import { textAt } from '../fixtures/template.js';
import type { JsonServices } from '../serving/json-service.js';
import { StatusError } from '../status-error.js';

const HOUR_MS = 3_600_000;
const LENGTHS_MS = new Map([
  ['day', 24 * HOUR_MS],
  ['hour', HOUR_MS],
  ['week', 7 * 24 * HOUR_MS],
]);

/** Epochs, counted from 1 since block 1. */
export function epochService(): JsonServices {
  return {
    'ixo.epochs.v1beta1.Query': {
      EpochInfos: {
        example: {},
        answer: (_, block) => ({
          epochs: [...LENGTHS_MS].map(([identifier, lengthMs]) => epochAt(block, identifier, lengthMs)),
        }),
      },
      CurrentEpoch: {
        example: { identifier: 'day' },
        answer(request, block) {
          const identifier = textAt(request, 'identifier');
          const lengthMs = LENGTHS_MS.get(identifier);
          if (lengthMs === undefined) {
            throw new StatusError(status.NOT_FOUND, `not available identifier: ${identifier}`);
          }
          return { current_epoch: epochAt(block, identifier, lengthMs)['current_epoch'] ?? '' };
        },
      },
    },
  };
}

function epochAt({ timeMs }: Block, identifier: string, lengthMs: number): JsonObject {
  const past = Math.floor((timeMs - GENESIS_MS) / lengthMs);
  return {
    identifier,
    start_time: new Date(GENESIS_MS).toISOString(),
    duration: `${lengthMs / 1000}s`,
    current_epoch: String(past + 1),
    current_epoch_start_time: new Date(GENESIS_MS + past * lengthMs).toISOString(),
    epoch_counting_started: true,
    current_epoch_start_height: String(1 + (past * lengthMs) / BLOCK_MS),
  };
}
