import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type JoinedFrame, joinAfterMs, restOf, textLengthIn } from './joined-frames.js';
import { RedisAppends } from './redis-appends.js';
import { readEntry } from './redis-frame.js';
import { joinEnded } from './redis-join.js';
import { keysOf, type RunKeys } from './redis-run-keys.js';
import { beginScript, endScript, readScript, takeOverScript } from './redis-run-scripts.js';
import { RedisWakes } from './redis-wakes.js';
import { partChars } from './run-log.js';
import { type RunFrame, type RunKey, type RunLogPart, RunLost, type RunStore } from './run-store.js';
import { RunTail } from './run-tail.js';
import { Wake } from './wake.js';

export interface RedisRunStoreTimes {
  /** How long a run is kept after its last frame, in ms. */
  readonly retentionMs: number;
  /** The same for a run whose answer is kept elsewhere, from its end on. As long unless given. */
  readonly framesMs?: number;
  /** How long after the end of such a run its texts are joined: until then it is read as it was written. */
  readonly joinAfterMs?: number;
  /** A reader looks this often when it hears nothing. */
  readonly lookMs?: number;
  /** How long a reader waits for a Redis that is away before it gives up. */
  readonly patienceMs?: number;
}

const entry = z.tuple([z.string(), z.array(z.string())]);
const readReply = z.tuple([z.int(), z.int(), z.array(entry)]).nullable();

const retryMs = 250;

/**
 * A reader beside the writer asks Redis only at each fifth wait without word: a process that is slow would make itself
 * slower, and one that has lost a run hears of that when it writes or renews its lease.
 */
const ownWaits = 5;

const isQuiet = ({ quietWaits }: Wake): boolean => quietWaits > 0 && quietWaits % ownWaits === 0;

/** Runs shared by all processes on one Redis or Valkey, as streams. Nothing of them is without an end. */
export class RedisRunStore implements RunStore {
  readonly #redis: Redis;
  readonly #wakes: RedisWakes;
  readonly #appends: RedisAppends;
  /** Of the runs that this process writes, as far as it knows. */
  readonly #tails = new Map<string, RunTail>();
  readonly #times: Required<RedisRunStoreTimes>;
  /** Their making costs more than their use, and a writer uses them for each frame. */
  readonly #keys = new WeakMap<RunKey, RunKeys>();

  constructor(redis: Redis, subscriber: Redis, times: RedisRunStoreTimes) {
    this.#redis = redis;
    this.#wakes = new RedisWakes(subscriber);
    this.#appends = new RedisAppends(redis, times.retentionMs);
    this.#times = { lookMs: 1_000, patienceMs: 30_000, framesMs: times.retentionMs, joinAfterMs, ...times };
  }

  async begin(run: RunKey, writerId: string): Promise<void> {
    const { head } = this.#keysOf(run);
    const reply = await beginScript.run(this.#redis, [head], [writerId, this.#times.retentionMs]);
    if (reply !== 1) throw new Error('a run with this id exists');
    this.#tails.set(head, new RunTail(0));
  }

  async takeOver(run: RunKey, writerId: string): Promise<boolean> {
    const { head } = this.#keysOf(run);
    const isTaken = (await takeOverScript.run(this.#redis, [head], [writerId])) === 1;
    // Where the log stands is known with what is written next.
    this.#dropTail(head);
    if (isTaken) this.#tails.set(head, new RunTail());
    return isTaken;
  }

  append(run: RunKey, writerId: string, frames: readonly RunFrame[]): Promise<void> {
    return this.#write(run, writerId, false, frames);
  }

  async end(run: RunKey, writerId: string, isKept: boolean): Promise<void> {
    if (!isKept) return this.#write(run, writerId, true, []);
    const { head, stream } = this.#keysOf(run);
    const isEnded = (await endScript.run(this.#redis, [head, stream], [writerId, this.#times.framesMs])) === 1;
    this.#dropTail(head);
    if (!isEnded) throw lost();
    if (this.#times.joinAfterMs === 0) await this.#join(run);
    else setTimeout(() => void this.#join(run).catch(() => undefined), this.#times.joinAfterMs).unref();
  }

  async read(run: RunKey, after: number): Promise<RunLogPart | undefined> {
    const part = await this.#read(run, after, partChars);
    return part && { frames: part.frames.map((frame) => restOf(frame, after)), isEnded: part.isEnded };
  }

  async textLengthAt(run: RunKey, id: number): Promise<number | undefined> {
    const frame = (await this.#read(run, id - 1, 0))?.frames[0];
    return frame && textLengthIn(frame, id);
  }

  async *follow(run: RunKey, after: number, signal: AbortSignal): AsyncIterable<readonly RunFrame[]> {
    const { head, stream } = this.#keysOf(run);
    const wake = new Wake(signal, this.#times.lookMs);
    let tail: RunTail | undefined;
    let isSubscribed = false;
    let next = after;
    try {
      while (!wake.isOver) {
        tail = this.#tails.get(head);
        tail?.tell(wake);
        if (tail === undefined && !isSubscribed) {
          isSubscribed = true;
          await this.#wakes.listen(stream, wake);
        }
        // A process that hears nothing of itself may have lost the run to another.
        const told: readonly RunFrame[] | undefined = isQuiet(wake) ? undefined : tail?.read(next);
        const part: RunLogPart | undefined =
          told === undefined ? await this.#readPatiently(run, next, signal) : { frames: told, isEnded: false };
        if (part === undefined) return;
        next = part.frames.at(-1)?.id ?? next;
        if (part.frames.length > 0) yield part.frames;
        if (part.isEnded) return;
        if (part.frames.length === 0) await wake.wait();
      }
    } finally {
      tail?.leave(wake);
      if (isSubscribed) this.#wakes.leave(stream, wake);
      wake.close();
    }
  }

  async forget(runs: readonly RunKey[]): Promise<void> {
    for (const run of runs) {
      const { head, stream } = this.#keysOf(run);
      this.#dropTail(head);
      await this.#redis.del(head, stream);
      await this.#redis.publish(stream, 'gone');
    }
  }

  async #write(run: RunKey, writerId: string, isLast: boolean, frames: readonly RunFrame[]): Promise<void> {
    const { head, stream } = this.#keysOf(run);
    let isTaken: boolean;
    try {
      isTaken = await this.#appends.add({ head, stream, writerId, isLast, frames });
    } catch (error) {
      // It may have taken effect, and it may have been the last.
      this.#dropTail(head);
      throw error;
    }
    if (isTaken && !isLast) this.#tailOf(head).push(frames);
    else this.#dropTail(head);
    if (!isTaken) throw lost();
  }

  /** Where the log stands after an append that failed is known again with one that did not. */
  #tailOf(head: string): RunTail {
    const tail = this.#tails.get(head) ?? new RunTail();
    this.#tails.set(head, tail);
    return tail;
  }

  /** What is not joined only takes more room until it goes. */
  #join(run: RunKey): Promise<void> {
    return joinEnded(this.#redis, this.#keysOf(run), (after) => this.read(run, after));
  }

  async #read(run: RunKey, after: number, limitChars: number) {
    const { head, stream } = this.#keysOf(run);
    const reply = readReply.parse(await readScript.run(this.#redis, [head, stream], [after, limitChars]));
    if (reply === null) return undefined;
    const [ended, last, entries] = reply;
    const frames: readonly JoinedFrame[] = entries.map(readEntry);
    return { frames, isEnded: ended === 1 && (frames.at(-1)?.id ?? after) >= last };
  }

  #keysOf(run: RunKey): RunKeys {
    const known = this.#keys.get(run);
    if (known !== undefined) return known;
    const keys = keysOf(run);
    this.#keys.set(run, keys);
    return keys;
  }

  /** Readers go on with what is kept, and hear of it from whoever writes it. */
  #dropTail(head: string): void {
    const tail = this.#tails.get(head);
    this.#tails.delete(head);
    tail?.wake();
  }

  async #readPatiently(run: RunKey, after: number, signal: AbortSignal): Promise<RunLogPart | undefined> {
    for (let waitedMs = 0; ; waitedMs += retryMs) {
      try {
        return await this.read(run, after);
      } catch (error) {
        if (signal.aborted || waitedMs >= this.#times.patienceMs) throw error;
        await sleep(retryMs);
      }
    }
  }
}

function lost(): RunLost {
  return new RunLost('the run is gone, has ended or has another writer');
}
