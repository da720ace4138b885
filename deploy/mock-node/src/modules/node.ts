import type { ServiceServer } from '@mlango/proto/cosmos/base/node/v1beta1/query';
import { digest } from '../data/seeded.js';
import { type QueryContext, serveUnary } from '../serving/unary.js';

/** `cosmos.base.node.v1beta1.Service`: the one place where an answer depends on the block. */
export function nodeModule(context: QueryContext): ServiceServer {
  return {
    config: serveUnary(context, {
      example: {},
      answer: () => ({
        minimum_gas_price: '0.025uixo',
        pruning_keep_recent: '0',
        pruning_interval: '0',
        halt_height: '0',
      }),
    }),
    status: serveUnary(context, {
      example: {},
      answer: (_, block) => ({
        earliest_store_height: String(context.earliestHeight),
        height: String(block.height),
        timestamp: { seconds: String(Math.floor(block.timeMs / 1000)), nanos: (block.timeMs % 1000) * 1_000_000 },
        app_hash: digest(`state ${block.height}`),
        validator_hash: digest('validators'),
      }),
    }),
  };
}
