import { hasListeners, traceStream, traceUnary } from '../call-hooks.js';
import type { CallOptions, Channel, Reply, ReplyStream } from '../channel.js';
import { GRPC_CODES } from '../grpc-code.js';
import type { Metadata } from '../metadata.js';
import { NodeFailure } from '../node-failure.js';
import type { NodeCondition, NodeReport } from './node-report.js';
import { PeakLatency } from './peak-latency.js';
import { type PositionRange, type Positions, WHOLE } from './positions.js';

/** A node with pending calls and no answer for this time is skipped while there are others. */
const SILENT_MS = 1000;
/** Failures in a row that count as a failure of the node: a single one may be caused by its call. */
const FAILURES = 3;
/** Pause after a failure: the first, and the longest. */
const PAUSE_MS = { first: 1000, last: 60_000 };
/** A node without a measured latency gets one call at a time while there are other nodes. */
const UNKNOWN_MS = 60_000;

export interface KnownNodeOptions {
  readonly target: string;
  readonly range?: PositionRange | undefined;
  readonly positions?: Positions | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** A node with the pool's observations: availability, latency, load and position. */
export class KnownNode implements NodeReport {
  readonly channel: Channel;
  readonly target: string;
  readonly range: PositionRange;
  readonly #now: () => number;
  readonly #ofReply: (metadata: Metadata) => number | undefined;
  readonly #latency: PeakLatency;
  /** Its channel reports an outage. */
  isUnavailable = false;
  running = 0;
  lastProbe: NodeReport['lastProbe'];
  /** Sequence number of its last call in the pool. */
  lastCallNumber = 0;
  /** Called when it has a newer position. */
  readonly onHigher = new Set<() => void>();
  #position: number | undefined;
  #isFailing = false;
  #pausedUntil = 0;
  pauses = 0;
  failures = 0;
  /** Start of the time in which it has running calls and has answered none. */
  #unansweredSince = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(channel: Channel, { target, range = WHOLE, positions, now }: KnownNodeOptions) {
    this.channel = channel;
    this.target = target;
    this.range = range;
    this.#now = now;
    this.#ofReply = positions?.ofReply ?? (() => undefined);
    this.#latency = new PeakLatency(now);
  }

  get position(): number | undefined {
    return this.#position;
  }

  get latencyMs(): number {
    return this.#latency.ms;
  }

  /** Estimated latency of a further call. */
  get cost(): number {
    const { latencyMs, running } = this;
    return latencyMs === 0 && running > 0 ? UNKNOWN_MS * running : latencyMs * (running + 1);
  }

  /** When it last answered a call or a check. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  /** It is known to have a position. */
  hasReached(position: number): boolean {
    return this.#position !== undefined && this.#position >= position;
  }

  get isLive(): boolean {
    return this.state === 'live';
  }

  get state(): NodeCondition {
    if (this.isUnavailable) return 'away';
    if (this.#isFailing) return 'failing';
    return this.running > 0 && this.#now() - this.#unansweredSince > SILENT_MS ? 'silent' : 'live';
  }

  /** @param otherwise handles a failure; omitted: it is thrown */
  unary(
    path: string,
    request: Uint8Array,
    options: CallOptions,
    otherwise?: (failure: unknown) => Promise<Reply>,
    startedAt = this.#now(),
  ): Promise<Reply> {
    const called = hasListeners()
      ? traceUnary({ path, target: this.target }, options, (tracedCall) =>
          this.channel.unary(path, request, tracedCall),
        )
      : this.channel.unary(path, request, options);
    if (this.running === 0) this.#unansweredSince = startedAt;
    this.running += 1;
    return called.then(
      (reply) => {
        this.running -= 1;
        this.#answered(reply.headers, startedAt);
        return { ...reply, target: this.target };
      },
      (failure: unknown) => {
        this.running -= 1;
        if (failure instanceof NodeFailure) this.#failed(failure, startedAt);
        if (otherwise === undefined) throw failure;
        return otherwise(failure);
      },
    );
  }

  stream(path: string, request: Uint8Array, options: CallOptions): ReplyStream {
    const startedAt = this.#now();
    const stream = hasListeners()
      ? traceStream({ path, target: this.target }, options, (tracedCall) =>
          this.channel.stream(path, request, tracedCall),
        )
      : this.channel.stream(path, request, options);
    stream.headers.then(
      (headers) => this.#answered(headers),
      (failure: unknown) => failure instanceof NodeFailure && this.#failed(failure, startedAt),
    );
    return stream;
  }

  /** It responded to a probe, and gets calls again after its pause. */
  probed(position: number | undefined): void {
    this.#answeredAt = this.#now();
    this.#unansweredSince = this.#answeredAt;
    if (position !== undefined) this.#isAt(position);
    if (this.#now() >= this.#pausedUntil) this.#isFailing = false;
  }

  /** Skips the node, longer each time until it answers a call. */
  pause(): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#pausedUntil = this.#now() + Math.min(PAUSE_MS.last, PAUSE_MS.first * 2 ** this.pauses);
    this.pauses += 1;
    this.failures = 0;
  }

  /** @param calledAt omitted for streams: their duration is no latency */
  #answered(headers: Metadata, calledAt?: number): void {
    this.failures = 0;
    this.pauses = 0;
    const now = this.#now();
    this.#answeredAt = now;
    this.#unansweredSince = now;
    if (calledAt !== undefined) this.#latency.record(now - calledAt, now);
    const position = this.#ofReply(headers);
    if (position !== undefined) this.#isAt(Math.max(this.#position ?? 0, position));
  }

  #isAt(position: number): void {
    const isHigher = !this.hasReached(position);
    this.#position = position;
    if (isHigher) for (const notify of this.onHigher) notify();
  }

  #failed(failure: NodeFailure, startedAt: number): void {
    const { code, fromTransport, metadata, tooLarge } = failure;
    if (code === GRPC_CODES.cancelled) return;
    // The size of a reply depends on the request, not on the node.
    if (tooLarge) this.#answered(metadata, startedAt);
    else if (code === GRPC_CODES.deadlineExceeded) {
      // Deadlines are chosen by callers, so a single timeout is no sign of a bad node: only silence counts.
      const waitedMs = this.#now() - startedAt;
      this.#latency.missed(waitedMs);
      if (waitedMs >= SILENT_MS && this.#answeredAt < startedAt) this.pause();
    } else if (code === GRPC_CODES.unavailable || fromTransport) {
      this.failures += 1;
      const isUnreachable = code === GRPC_CODES.unavailable && fromTransport;
      if (isUnreachable || this.failures >= FAILURES) this.pause();
    } else this.#answered(metadata, startedAt);
  }
}
