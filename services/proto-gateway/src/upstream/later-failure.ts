import { NodeFailure } from './chain-node.js';

/** The gateway itself does not ask now, and may shortly. What it says is meant for the caller. */
export class LaterFailure extends NodeFailure {}

/** The headers that tell a caller when to come again; none for other failures. */
export function whenToComeAgain(failure: unknown): Readonly<Record<string, string>> {
  return failure instanceof LaterFailure ? { 'retry-after': '1' } : {};
}
