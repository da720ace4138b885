import { createHash } from 'node:crypto';
import { NodeFailure, type Reply, RetryLaterError } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { View } from './subscription.js';

/** The answer to a query at a block: a message or a definite failure. */
export type WatchedAnswer =
  | { readonly digest: string; readonly message: Uint8Array }
  | { readonly digest: string; readonly failure: unknown };

/** Maximum size of a watched answer: it is written with each block that changes it. */
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

/** Failures of one code are equal: their texts may differ from block to block. */
export function failureAnswer(failure: unknown): WatchedAnswer {
  return { digest: `failed ${failure instanceof NodeFailure ? failure.code : ''}`, failure };
}

/** The byte limit of watched answers is reached. */
export function poolFullFailure(): NodeFailure {
  return tooMuch('The limit of bytes of watched answers is reached');
}

function tooMuch(message: string): NodeFailure {
  return new RetryLaterError(GRPC_CODES.resourceExhausted, message);
}

/** The failure is of the connection, not an answer. */
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

/** A node may announce a block shortly before it can serve it. */
export function isNotYet(failure: unknown): boolean {
  return failure instanceof NodeFailure && OF_THE_HEIGHT.has(failure.code) && /height/i.test(failure.message);
}

/** The kind and JSON of the event in a view. */
export function writeAnswer(
  answer: WatchedAnswer,
  view: View,
): { readonly kind: 'answer' | 'failed'; readonly data: string } {
  if ('message' in answer) {
    try {
      return { kind: 'answer', data: view.write(answer.message) };
    } catch (failure) {
      return { kind: 'failed', data: JSON.stringify(view.describe(failure)) };
    }
  }
  return { kind: 'failed', data: JSON.stringify(view.describe(answer.failure)) };
}

interface Span {
  readonly digest: string;
  readonly first: number;
  last: number;
}

/** Maximum of stored changes. */
const SPANS = 64;

/** Digests of a query's answers at the blocks where it was called. Blocks in between are unknown. */
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

  /** The digest of the answer at a block; `undefined` if unknown or expired. */
  at(height: number): string | undefined {
    return this.#spans.find(({ first, last }) => first <= height && height <= last)?.digest;
  }
}
