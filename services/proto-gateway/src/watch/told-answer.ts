import { createHash } from 'node:crypto';
import { LaterFailure, NodeFailure, type Reply } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { View } from './watched-query.js';

/** What a query is answered at a block: a message, or a failure that is an answer too. */
export type Told =
  | { readonly digest: string; readonly message: Uint8Array }
  | { readonly digest: string; readonly failure: unknown };

/** Larger answers are not watched: they would be written again with each block that changes them. */
const LIMIT_BYTES = 1024 * 1024;

const PASSING: ReadonlySet<number> = new Set([
  GRPC_CODES.cancelled,
  GRPC_CODES.deadlineExceeded,
  GRPC_CODES.unavailable,
]);

export function toldReply({ message }: Reply): Told {
  if (message.length > LIMIT_BYTES) return toldFailure(tooMuch(`An answer of ${message.length} bytes is not watched`));
  return { digest: createHash('sha256').update(message).digest('base64url'), message };
}

/** Two failures of one code are the same: what a node says of them may differ from block to block. */
export function toldFailure(failure: unknown): Told {
  return { digest: `failed ${failure instanceof NodeFailure ? failure.code : ''}`, failure };
}

/** All that is watched is as large as it may be. */
export function noRoom(): NodeFailure {
  return tooMuch('Too many bytes are watched here at the moment');
}

function tooMuch(message: string): NodeFailure {
  return new LaterFailure(GRPC_CODES.resourceExhausted, message);
}

/** The failure says nothing of the answer: there was nobody to give it. */
export function isPassing(failure: unknown): boolean {
  if (!(failure instanceof NodeFailure)) return false;
  return PASSING.has(failure.code) || failure instanceof LaterFailure || (failure.fromTransport && !failure.tooLarge);
}

const OF_THE_HEIGHT: ReadonlySet<number> = new Set([
  GRPC_CODES.unknown,
  GRPC_CODES.invalidArgument,
  GRPC_CODES.outOfRange,
]);

/** A node tells of a block a moment before it can be asked at it. */
export function isNotYet(failure: unknown): boolean {
  return failure instanceof NodeFailure && OF_THE_HEIGHT.has(failure.code) && /height/i.test(failure.message);
}

/** The kind and the JSON of an event that tells it in a view. */
export function writeTold(told: Told, view: View): { readonly kind: 'answer' | 'failed'; readonly data: string } {
  if ('message' in told) {
    try {
      return { kind: 'answer', data: view.write(told.message) };
    } catch (failure) {
      return { kind: 'failed', data: JSON.stringify(view.describe(failure)) };
    }
  }
  return { kind: 'failed', data: JSON.stringify(view.describe(told.failure)) };
}
