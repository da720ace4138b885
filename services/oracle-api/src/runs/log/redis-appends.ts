import { setTimeout as sleep } from 'node:timers/promises';
import { endOfTurn } from '@mlango/async/end-of-turn';
import { publishCommand, type RedisClient } from '@mlango/service-kit/redis';
import { takeBatch } from './append.js';
import { appendScript, fieldsOf } from './redis-scripts.js';
import type { RunFrame } from './store.js';

/** Maximum runs in one call, so that it does not block Redis for others. */
const callRuns = 128;
/** Characters of one call, beyond its first run. */
const callChars = 131_072;
/** Interval between calls while several runs are written, in ms: a call costs as much as many runs in it. */
const apartMs = 5;

/** An append of one writer to its run. */
export interface RedisAppend {
  /** Keys of the run's hash and stream. */
  readonly head: string;
  readonly stream: string;
  readonly writerId: string;
  /** Whether nothing follows, and the retention from now on, in ms. */
  readonly isLast: boolean;
  readonly retentionMs: number;
  readonly frames: readonly RunFrame[];
}

/** `stale`: another writer holds the run; `missing`: the log, or a part of it, is missing. */
export type AppendOutcome = 'stored' | 'stale' | 'missing';

interface PendingAppend {
  readonly append: RedisAppend;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches appends of many runs into few calls: those of one turn of the event loop, and those during a call or just after a call for
 * several runs. Each run has its own outcome, so a failure affects only its run.
 */
export class RedisAppends {
  readonly #redis: RedisClient;
  #pending: PendingAppend[] = [];
  #isBusy = false;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Rejects when the outcome is unknown. */
  add(append: RedisAppend): Promise<AppendOutcome> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ append, resolve, reject });
      if (this.#isBusy) return;
      this.#isBusy = true;
      void endOfTurn().then(() => this.#sendAll());
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#pending.length > 0) {
      // A cluster distributes runs over nodes and accepts calls for one run only.
      const { isCluster } = this.#redis;
      const batch = isCluster ? this.#pending.splice(0) : takeBatch(this.#pending, callChars, charsOf, callRuns);
      await (isCluster ? Promise.all(batch.map((one) => this.#send([one]))) : this.#send(batch));
      if (batch.length > 1 && this.#pending.length < callRuns) await sleep(apartMs);
    }
    this.#isBusy = false;
  }

  /** Never rejects. */
  async #send(batch: readonly PendingAppend[]): Promise<void> {
    try {
      const replies = (await this.#call(batch)) as readonly unknown[];
      batch.forEach(({ resolve, reject }, index) => {
        const reply = replies[index];
        if (typeof reply === 'number') resolve(reply === 1 ? 'stored' : reply === 0 ? 'stale' : 'missing');
        else reject(new Error(String(reply)));
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #call(batch: readonly PendingAppend[]): Promise<unknown> {
    const keys: string[] = [];
    const values: (string | number)[] = [publishCommand(this.#redis)];
    for (const { append } of batch) {
      const { head, stream, writerId, isLast, retentionMs, frames } = append;
      keys.push(head, stream);
      values.push(writerId, isLast ? 1 : 0, retentionMs, frames.length);
      for (const frame of frames) values.push(frame.id, ...fieldsOf(frame));
    }
    return appendScript.run(this.#redis, keys, values);
  }
}

function charsOf({ append }: PendingAppend): number {
  return append.frames.reduce((chars, { data }) => chars + data.length, 0);
}
