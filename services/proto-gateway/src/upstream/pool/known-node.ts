import { NodeFailure, type Reply, type ReplyStream } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { findHeight, type Metadata } from '@mlango/transcoder/metadata';
import type { ChainNode, NodeCall } from '../chain-node.js';
import type { HeightRange } from '../node-target.js';

/** A node that owes answers and gives none for so long is left alone while there are others. */
const SILENT_MS = 1000;
/** How many failures in a row that may be those of one query are one of the node. */
const FAILURES = 3;
/** How long a node that failed is not asked: the first time, and at most. */
const REST_MS = { first: 1000, last: 60_000 };

/** `silent` owes answers for a second; `failing` is asked nothing until it answers a probe. */
export type NodeCondition = 'live' | 'away' | 'failing' | 'silent';

/** A node, and what its pool has seen of it: whether it is there, how it answers, how busy it is and how far it is. */
export class KnownNode {
  readonly node: ChainNode;
  readonly heights: HeightRange;
  readonly #now: () => number;
  /** Its channel says that it cannot be reached. */
  isAway = false;
  /** Calls under way. */
  running = 0;
  /** What the last look at it brought; `undefined` while none has. */
  looked: { readonly latencyMs: number; readonly blockSeconds: number | null } | undefined;
  /** When it was asked last, counted in calls of the pool. */
  turn = 0;
  /** Told when it has a newer block. */
  readonly onHigher = new Set<() => void>();
  #height: number | undefined;
  #isFailing = false;
  #restsUntil = 0;
  /** Times it failed since it last answered a call. */
  #rests = 0;
  #failures = 0;
  /** Since when it has calls under way and has answered none. */
  #owingSince = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(node: ChainNode, heights: HeightRange, now: () => number) {
    this.node = node;
    this.heights = heights;
    this.#now = now;
  }

  /** The newest block it is known to have. */
  get height(): number | undefined {
    return this.#height;
  }

  /** It is known to have a block. */
  hasReached(height: number): boolean {
    return this.#height !== undefined && this.#height >= height;
  }

  /** It did not do what it was asked, and is asked nothing until it answers a probe. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  get isLive(): boolean {
    return this.state === 'live';
  }

  get state(): NodeCondition {
    if (this.isAway) return 'away';
    if (this.#isFailing) return 'failing';
    return this.running > 0 && this.#now() - this.#owingSince > SILENT_MS ? 'silent' : 'live';
  }

  /** Calls in a row that failed as if the node had; at three it is left alone, and counting begins anew. */
  get failures(): number {
    return this.#failures;
  }

  /** Times it was left alone since it last answered a call. */
  get rests(): number {
    return this.#rests;
  }

  async call(call: NodeCall): Promise<Reply> {
    const startedAt = this.#now();
    if (this.running === 0) this.#owingSince = startedAt;
    this.running += 1;
    try {
      const reply = await this.node.call(call);
      this.#answered(reply.headers);
      return reply;
    } catch (failure) {
      if (failure instanceof NodeFailure) this.#failed(failure, startedAt);
      throw failure;
    } finally {
      this.running -= 1;
    }
  }

  stream(call: NodeCall): ReplyStream {
    const startedAt = this.#now();
    const stream = this.node.stream(call);
    stream.headers.then(
      (headers) => this.#answered(headers),
      (failure: unknown) => failure instanceof NodeFailure && this.#failed(failure, startedAt),
    );
    return stream;
  }

  /** It answered a probe, and may be asked again when its rest is over. */
  probed(height: string | null): void {
    this.#answeredAt = this.#now();
    this.#owingSince = this.#answeredAt;
    if (height !== null) this.#isAt(Number(height));
    if (this.#now() >= this.#restsUntil) this.#isFailing = false;
  }

  /** Leaves it alone, longer each time until it answers a call. */
  rest(): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#restsUntil = this.#now() + Math.min(REST_MS.last, REST_MS.first * 2 ** this.#rests);
    this.#rests += 1;
    this.#failures = 0;
  }

  #answered(headers: Metadata): void {
    this.#failures = 0;
    this.#rests = 0;
    this.#answeredAt = this.#now();
    this.#owingSince = this.#answeredAt;
    const height = findHeight(headers);
    if (height !== undefined) this.#isAt(Math.max(this.#height ?? 0, Number(height)));
  }

  #isAt(height: number): void {
    const isHigher = !this.hasReached(height);
    this.#height = height;
    if (isHigher) for (const tell of this.onHigher) tell();
  }

  #failed(failure: NodeFailure, startedAt: number): void {
    const { code, fromTransport, metadata } = failure;
    if (code === GRPC_CODES.cancelled) return;
    if (code === GRPC_CODES.deadlineExceeded) {
      // Callers choose their time, and what one query needs says nothing of the node: only silence counts.
      if (this.#now() - startedAt >= SILENT_MS && this.#answeredAt < startedAt) this.rest();
    } else if (code === GRPC_CODES.unavailable || fromTransport) {
      this.#failures += 1;
      const isGone = code === GRPC_CODES.unavailable && fromTransport;
      if (isGone || this.#failures >= FAILURES) this.rest();
    } else this.#answered(metadata);
  }
}
