import type { ServerResponse } from 'node:http';
import type { ByteBudget } from '../upstream/byte-budget.js';

/** Replies up to this fit what a connection buffers anyway, and there are no more of them than connections. */
const SMALL_BYTES = 16 * 1024;

/** Counts a reply until its connection is done with it. False when there is no room. */
export function holdReply(budget: ByteBudget, response: ServerResponse, bytes: number): boolean {
  if (bytes <= SMALL_BYTES) return true;
  if (!budget.take(bytes)) return false;
  response.once('close', () => budget.give(bytes));
  return true;
}

/** The parts of a reply, each counted until the next one is asked for. @throws {Error} where there is no room */
export async function* holdParts(
  budget: ByteBudget,
  parts: AsyncIterable<string | Buffer>,
): AsyncGenerator<string | Buffer> {
  for await (const part of parts) {
    if (!budget.take(part.length)) throw new Error('too many bytes of replies wait for their readers');
    try {
      yield part;
    } finally {
      budget.give(part.length);
    }
  }
}
