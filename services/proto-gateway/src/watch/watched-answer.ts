import { createHash } from 'node:crypto';
import { NodeFailure, type Reply, RetryLaterError } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { View } from './subscription.js';

/** What a query is answered at a block: a message, or a failure that is an answer too. */
export type WatchedAnswer =
  | { readonly digest: string; readonly message: Uint8Array }
  | { readonly digest: string; readonly failure: unknown };

/** Larger answers are not watched: they would be written again with each block that changes them. */
const LIMIT_BYTES = 1024 * 1024;

const PASSING: ReadonlySet<number> = new Set([
  GRPC_CODES.cancelled,
  GRPC_CODES.deadlineExceeded,
  GRPC_CODES.unavailable,
]);

export function replyAnswer({ message }: Reply): WatchedAnswer {
  if (message.length > LIMIT_BYTES)
    return failureAnswer(tooMuch(`An answer of ${message.length} bytes is not watched`));
  return { digest: createHash('sha256').update(message).digest('base64url'), message };
}

/** Two failures of one code are the same: what a node says of them may differ from block to block. */
export function failureAnswer(failure: unknown): WatchedAnswer {
  return { digest: `failed ${failure instanceof NodeFailure ? failure.code : ''}`, failure };
}

/** All that is watched is as large as it may be. */
export function poolFullFailure(): NodeFailure {
  return tooMuch('Too many bytes are watched here at the moment');
}

function tooMuch(message: string): NodeFailure {
  return new RetryLaterError(GRPC_CODES.resourceExhausted, message);
}

/** The failure says nothing of the answer: there was nobody to give it. */
export function isTransient(failure: unknown): boolean {
  if (!(failure instanceof NodeFailure)) return false;
  return (
    PASSING.has(failure.code) || failure instanceof RetryLaterError || (failure.fromTransport && !failure.tooLarge)
  );
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
export function writeAnswer(
  told: WatchedAnswer,
  view: View,
): { readonly kind: 'answer' | 'failed'; readonly data: string } {
  if ('message' in told) {
    try {
      return { kind: 'answer', data: view.write(told.message) };
    } catch (failure) {
      return { kind: 'failed', data: JSON.stringify(view.describe(failure)) };
    }
  }
  return { kind: 'failed', data: JSON.stringify(view.describe(told.failure)) };
}

interface Span {
  readonly digest: string;
  readonly first: number;
  last: number;
}

/** Changes that are remembered. */
const SPANS = 64;

/** What a query was answered at the blocks it was asked at. Of a block in between nothing is claimed. */
export class AnswerHistory {
  #spans: Span[] = [];

  note(height: number, digest: string): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && height <= last.last) this.#spans = [];
    else if (last !== undefined && last.digest === digest && last.last === height - 1) {
      last.last = height;
      return;
    }
    this.#spans.push({ digest, first: height, last: height });
    if (this.#spans.length > SPANS) this.#spans.shift();
  }

  /** The digest of the answer at a block; `undefined` where it was not asked, or where that is forgotten. */
  at(height: number): string | undefined {
    return this.#spans.find(({ first, last }) => first <= height && height <= last)?.digest;
  }
}
