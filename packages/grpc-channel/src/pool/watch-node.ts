import type { Channel } from '../channel.js';
import type { Outage } from '../connect-problem.js';
import { NodeFailure } from '../node-failure.js';
import type { KnownNode } from './known-node.js';
import type { Probe } from './probe.js';

export interface WatchRules {
  /** Time between two checks of a node, in ms. */
  readonly everyMs: number;
  /** Time a node has for its answer, in ms. */
  readonly timeoutMs: number;
  /** A node that answered no check and no call for this time gets a new connection, in ms. */
  readonly silentMs: number;
}

export interface WatchParts {
  readonly probe: Probe;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Called with the cause after failed probes; `undefined` after a successful one. */
  readonly onProbe: (outage: Outage | undefined) => void;
}

/** A single unanswered check has no meaning. Silence is reported one check later, because a connection may be pending. */
const MISSES = 2;
/** A timer may fire this much early. */
const TIMER_MS = 2;
const SILENT: Outage = { problem: 'silent', reason: 'it does not answer health checks in time' };

/**
 * Probes a node periodically, so that recovery costs no caller anything and a silent node is detected early. Ends with the
 * returned function.
 */
export function watchNode(known: KnownNode, rules: WatchRules, parts: WatchParts): () => void {
  const watch = new NodeWatch(known, rules, parts);
  void watch.check();
  const timer = setInterval(() => void watch.check(), rules.everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

class NodeWatch {
  readonly #known: KnownNode;
  readonly #rules: WatchRules;
  readonly #parts: WatchParts;
  #isChecking = false;
  #misses = 0;
  /** When the first of the consecutive unanswered checks began. */
  #silentSince: number | undefined;

  constructor(known: KnownNode, rules: WatchRules, parts: WatchParts) {
    this.#known = known;
    this.#rules = rules;
    this.#parts = parts;
  }

  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const known = this.#known;
    const { probe, now, onProbe } = this.#parts;
    const { timeoutMs } = this.#rules;
    const startedAt = now();
    let failure: unknown;
    const channel = seeingFailures(known.channel, (seen) => {
      failure = seen;
    });
    const result = await probe(channel, timeoutMs, known).catch((error: unknown) => {
      failure ??= error;
    });
    this.#isChecking = false;
    if (result !== undefined) {
      this.#misses = 0;
      this.#silentSince = undefined;
      known.lastProbe = { ...result, latencyMs: now() - startedAt };
      known.probed(result.position);
      onProbe(undefined);
    } else this.#miss(failure, startedAt);
  }

  /** A check that fails before its time limit is an answer: the connection works, or there is none. */
  #miss(failure: unknown, startedAt: number): void {
    const known = this.#known;
    const { onProbe, now } = this.#parts;
    const { timeoutMs, silentMs } = this.#rules;
    const isSilent = now() - startedAt >= timeoutMs - TIMER_MS;
    this.#misses += 1;
    // Late probes of a slow node do not count against the connection while calls are answered.
    this.#silentSince = isSilent ? Math.max(this.#silentSince ?? startedAt, known.answeredAt) : undefined;
    if (this.#silentSince !== undefined && now() - this.#silentSince >= silentMs) {
      this.#silentSince = undefined;
      known.channel.reconnect?.();
    }
    if (this.#misses < MISSES) return;
    known.pause();
    if (!isSilent) onProbe(outageOf(failure));
    else if (this.#misses > MISSES) onProbe(SILENT);
  }
}

function outageOf(failure: unknown): Outage {
  if (failure instanceof NodeFailure && failure.outage !== undefined) return failure.outage;
  // A node's error texts may vary.
  if (failure instanceof NodeFailure && !failure.fromTransport) {
    return { problem: 'other', reason: `it answers health checks with code ${failure.code}` };
  }
  return { problem: 'other', reason: failure instanceof Error ? failure.message : String(failure) };
}

/** A probe may hide the failure of the channel. */
function seeingFailures(channel: Channel, onFailure: (failure: NodeFailure) => void): Channel {
  return {
    ...channel,
    unary: (...call) =>
      channel.unary(...call).catch((failure: unknown) => {
        if (failure instanceof NodeFailure) onFailure(failure);
        throw failure;
      }),
  };
}

/** Why one node is not ready, by its connection and by its answers to checks. Each change is reported once. */
export class NodeOutage {
  readonly #onChange: (outage: Outage | undefined) => void;
  #connection: Outage | undefined;
  #answers: Outage | undefined;
  #reported: Outage | undefined;

  constructor(onChange: (outage: Outage | undefined) => void) {
    this.#onChange = onChange;
  }

  setConnectionOutage(outage: Outage | undefined): void {
    this.#connection = outage;
    // A new connection has no result yet, and without a connection there are no responses.
    if (outage !== undefined) this.#answers = undefined;
    this.#report();
  }

  setProbeOutage(outage: Outage | undefined): void {
    // Calls to a node without a connection fail for the reason that was reported already.
    this.#answers = this.#connection === undefined ? outage : undefined;
    this.#report();
  }

  #report(): void {
    const outage = this.#connection ?? this.#answers;
    if (outage?.reason === this.#reported?.reason) return;
    this.#reported = outage;
    this.#onChange(outage);
  }
}
