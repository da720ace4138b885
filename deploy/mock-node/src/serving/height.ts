import type { Metadata } from '@grpc/grpc-js';
import { type Block, blockAt, latestBlock } from '../chain-clock.js';
import { moduleError } from '../status-error.js';

/** Metadata key that pins a query to a height, and carries the height of the answer. */
export const HEIGHT_KEY = 'x-cosmos-block-height';

const INT64_MAX = 2n ** 63n - 1n;

/**
 * The block a request is to be answered at: the one it names, or the last one. Errors have the texts of a node.
 *
 * @param earliestHeight below it the node has dropped its states
 * @throws StatusError UNKNOWN, codespace `sdk`: 18 not a height, 26 in the future, 38 no longer there
 */
export function requestedBlock(metadata: Metadata, nowMs: number, earliestHeight: number): Block {
  const latest = latestBlock(nowMs);
  const values = metadata.get(HEIGHT_KEY);
  // A node reads the header only if there is exactly one.
  if (values.length !== 1) return latest;
  const height = parseHeight(String(values[0]));
  if (height > BigInt(latest.height)) {
    throw moduleError(
      'sdk',
      26,
      'invalid height: cannot query with height in the future; please provide a valid height',
    );
  }
  if (height === 0n) return latest;
  if (height < BigInt(earliestHeight)) {
    const text = `not found: failed to load state at height ${height}; version does not exist`;
    throw moduleError('sdk', 38, `${text} (latest height: ${latest.height})`);
  }
  return blockAt(Number(height));
}

function parseHeight(text: string): bigint {
  const height = /^[+-]?\d{1,19}$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
  if (height === undefined || height > INT64_MAX || height < -INT64_MAX) {
    throw moduleError('sdk', 18, `invalid request: invalid height header ${JSON.stringify(text)}`);
  }
  if (height < 0n) {
    throw moduleError('sdk', 18, 'invalid request: cannot query with height < 0; please provide a valid height');
  }
  return height;
}
