import type { Permit } from '@mlango/async/fair-semaphore';
import type { Reply } from '@mlango/grpc-channel';
import type { RpcStatus } from '@mlango/transcoder/grpc-status';
import type { EventFrame } from './event.js';

/** Reserves bytes of a pool; undefined if it is exhausted. */
export type HoldBytes = (bytes: number) => Permit | undefined;

/** The form of answers for one watcher. */
export interface View {
  /** Equal for equal views of one query. */
  readonly key: string;
  /** @throws {Error} for invalid reply bytes */
  write(message: Uint8Array): string;
  describe(failure: unknown): RpcStatus;
}

/** A query that can be watched. */
export interface WatchedQuery {
  /** Equal for queries with equal calls. */
  readonly key: string;
  /** Calls a node at a height. Rejects as `ChainNode.call`. */
  query(height: number): Promise<Reply>;
  readonly view: View;
}

/** A subscriber of one query or of blocks. */
export interface Subscriber {
  offer(frame: EventFrame): void;
  /** The block of the client's answer; only later changes are sent. */
  readonly from: number | undefined;
}

/** A running subscription. */
export interface Subscription {
  /** The height up to which a reader without pending events is current. */
  checkedAt(): number | undefined;
  leave(): void;
}
