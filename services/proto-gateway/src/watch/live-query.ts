import type { Permit } from '@mlango/async/fair-semaphore';
import { retry } from '@mlango/async/retry';
import { statusFrame } from './event.js';
import type { FanOut } from './fan-out.js';
import type { HoldBytes, Subscriber, Subscription, View, WatchedQuery } from './subscription.js';
import { ViewGroup } from './view-group.js';
import {
  AnswerHistory,
  failureAnswer,
  isNotYet,
  isTransient,
  poolFullFailure,
  replyAnswer,
  type WatchedAnswer,
} from './watched-answer.js';

export interface LiveQueryOptions {
  readonly query: WatchedQuery['query'];
  /** Makes a call when the pool of such calls has a permit. */
  readonly calls: <T>(task: () => Promise<T>) => Promise<T>;
  /** Reserves bytes for an answer; undefined if the pool is full. */
  readonly hold: HoldBytes;
  readonly fanOut: FanOut;
  /** No node is available. */
  readonly isUnavailable: () => boolean;
  /** Called when the last subscriber has left. */
  readonly onEmpty: () => void;
}

/** Retries at a node that announced a block before it can serve it. */
const NOT_YET = { times: 5, pauseMs: 300 };

/** One query, called once per block for all subscribers, which receive its changes. */
export class LiveQuery {
  readonly #options: LiveQueryOptions;
  readonly #groups = new Map<string, ViewGroup>();
  readonly #history = new AnswerHistory();
  #answer: WatchedAnswer | undefined;
  #held: Permit | undefined;
  #checkedAt: number | undefined;
  #isLate = false;
  #state: 'live' | 'late' | 'away' = 'live';
  #nextHeight = 0;
  #running: Promise<void> | undefined;

  constructor(options: LiveQueryOptions) {
    this.#options = options;
    this.publishState();
  }

  /** The last call brought no answer. */
  get isStale(): boolean {
    return this.#isLate;
  }

  join(view: View, subscriber: Subscriber): Subscription {
    const group = this.#groups.get(view.key) ?? new ViewGroup(view, this.#options.hold, this.#options.fanOut);
    this.#groups.set(view.key, group);
    if (this.#answer !== undefined && group.frame === undefined) group.write(this.#answer, this.#checkedAt ?? 0);
    group.add(subscriber);
    if (this.#state !== 'live') subscriber.offer(statusFrame(this.#state));
    this.#settle(group, subscriber);
    return {
      checkedAt: () => (this.#isLate || group.isBehind(subscriber) ? undefined : this.#checkedAt),
      leave: () => {
        if (!group.remove(subscriber)) return;
        if (group.isEmpty && this.#groups.delete(view.key)) group.clear();
        if (this.#groups.size > 0) return;
        this.#forgetAnswer();
        this.#options.onEmpty();
      },
    };
  }

  /** Calls the query at a height and publishes a change. During a call only the latest height is queued. Never rejects. */
  check(height: number): Promise<void> {
    this.#nextHeight = height;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Publishes a change of state. */
  publishState(): void {
    const state = this.#options.isUnavailable() ? 'away' : this.#isLate ? 'late' : 'live';
    if (state === this.#state) return;
    this.#state = state;
    const frame = statusFrame(state);
    for (const group of this.#groups.values()) void group.publish(frame);
  }

  async #run(): Promise<void> {
    let checkedHeight: number | undefined;
    while (checkedHeight !== this.#nextHeight) {
      checkedHeight = await this.#options.calls(async () => {
        // The latest height when the call starts.
        const height = this.#nextHeight;
        if (this.#groups.size > 0) this.#take(await this.#queryAt(height), height);
        return height;
      });
    }
  }

  #take(answer: WatchedAnswer | undefined, height: number): void {
    this.#isLate = answer === undefined;
    this.publishState();
    if (answer === undefined || this.#groups.size === 0) return;
    const before = this.#answer?.digest;
    const stored = answer.digest === before ? answer : this.#storeAnswer(answer);
    this.#checkedAt = height;
    this.#history.note(height, stored.digest);
    for (const group of this.#groups.values()) {
      if (stored.digest !== before) {
        group.write(stored, height);
        void group.publishAnswer();
      }
      for (const subscriber of group.unresumed()) this.#settle(group, subscriber);
    }
  }

  /** The answer at a height; `undefined` after a transient failure. */
  async #queryAt(height: number): Promise<WatchedAnswer | undefined> {
    const pauseMs = (failure: unknown, failures: number) =>
      !isTransient(failure) && isNotYet(failure) && failures < NOT_YET.times ? NOT_YET.pauseMs : undefined;
    try {
      return replyAnswer(await retry(() => this.#options.query(height), { pauseMs }));
    } catch (failure) {
      return isTransient(failure) ? undefined : failureAnswer(failure);
    }
  }

  /** Sends a subscriber the answer it lacks, once known. */
  #settle(group: ViewGroup, subscriber: Subscriber): void {
    if (this.#checkedAt === undefined || this.#answer === undefined) return;
    if (subscriber.from === undefined) group.publishTo(subscriber);
    else if (subscriber.from <= this.#checkedAt && group.beginResume(subscriber))
      void this.#resume(group, subscriber, subscriber.from);
  }

  async #resume(group: ViewGroup, subscriber: Subscriber, from: number): Promise<void> {
    const then = this.#history.at(from) ?? (await this.#digestAt(from));
    group.endResume(subscriber, then === this.#answer?.digest);
  }

  /** `undefined` if unknown: then the current answer is sent again, so that no change is missed. */
  async #digestAt(height: number): Promise<string | undefined> {
    try {
      return replyAnswer(await this.#options.calls(() => this.#options.query(height))).digest;
    } catch {
      return undefined;
    }
  }

  #storeAnswer(answer: WatchedAnswer): WatchedAnswer {
    this.#forgetAnswer();
    if ('message' in answer) this.#held = this.#options.hold(answer.message.length);
    const stored = 'failure' in answer || this.#held !== undefined ? answer : failureAnswer(poolFullFailure());
    this.#answer = stored;
    return stored;
  }

  #forgetAnswer(): void {
    this.#held?.release();
    this.#held = undefined;
    this.#answer = undefined;
  }
}
