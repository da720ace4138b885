import { setTimeout as sleep } from 'node:timers/promises';
import { type Listening, publish, type RedisClient, type RedisSubscriber } from '@mlango/service-kit/redis';
import { z } from 'zod';
import { joinAfterMs, restOf, textLengthIn } from './joined-frames.js';
import { type AppendOutcome, type RedisAppend, RedisAppends } from './redis-appends.js';
import { joinedFieldsOf, readEntry } from './redis-frame.js';
import { keysOf, type RunKeys } from './redis-run-keys.js';
import { beginScript, joinScript, readScript, takeOverScript } from './redis-run-scripts.js';
import { partChars } from './run-log.js';
import { type JoinedFrame, type RunFrame, type RunKey, type RunLogPart, RunLost, type RunStore } from './run-store.js';
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
/** How long a reader waits for its subscription; without one it still looks from time to time. */
const subscribeLimitMs = 500;

/**
 * A reader beside the writer asks Redis only at each fifth wait without word: a process that is slow would make itself
 * slower, and one that has lost a run hears of that when it writes or renews its lease.
 */
const ownWaits = 5;

const isQuiet = ({ quietWaits }: Wake): boolean => quietWaits > 0 && quietWaits % ownWaits === 0;

/** Runs shared by all processes on one Redis or Valkey, as streams. Nothing of them is without an end. */
export class RedisRunStore implements RunStore {
  readonly #redis: RedisClient;
  readonly #subscriber: RedisSubscriber;
  readonly #appends: RedisAppends;
  /** Of the runs that this process writes, as far as it knows. */
  readonly #tails = new Map<string, RunTail>();
  readonly #times: Required<RedisRunStoreTimes>;
  /** Their making costs more than their use, and a writer uses them for each frame. */
  readonly #keys = new WeakMap<RunKey, RunKeys>();

  constructor(redis: RedisClient, subscriber: RedisSubscriber, times: RedisRunStoreTimes) {
    this.#redis = redis;
    this.#subscriber = subscriber;
    this.#appends = new RedisAppends(redis);
    this.#times = { lookMs: 1_000, patienceMs: 5_000, framesMs: times.retentionMs, joinAfterMs, ...times };
  }

  async begin(run: RunKey, writerId: string, before: readonly JoinedFrame[] = []): Promise<void> {
    const { head, stream } = this.#keysOf(run);
    const values = [writerId, this.#times.retentionMs, ...before.flatMap(entryOf)];
    const reply = await beginScript.run(this.#redis, [head, stream], values);
    if (reply !== 1) throw new Error('a run with this id exists');
    // Readers beside the writer of a log that was lost have what it had.
    if (!this.#tails.has(head)) this.#tails.set(head, new RunTail(before));
  }

  show(run: RunKey, frames: readonly JoinedFrame[]): void {
    this.#tailOf(this.#keysOf(run).head).show(frames);
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
    const { head, stream } = this.#keysOf(run);
    return this.#write({ head, stream, writerId, isLast: false, keptMs: this.#times.retentionMs, frames });
  }

  pause(run: RunKey): void {
    this.#dropTail(this.#keysOf(run).head);
  }

  async end(
    run: RunKey,
    writerId: string,
    isKept: boolean,
    last: readonly RunFrame[] = [],
    joined: readonly JoinedFrame[] = [],
  ): Promise<void> {
    const { framesMs, retentionMs, joinAfterMs } = this.#times;
    const { head, stream } = this.#keysOf(run);
    const keptMs = isKept ? framesMs : retentionMs;
    await this.#write({ head, stream, writerId, isLast: true, keptMs, frames: last });
    if (!isKept || joined.length === (joined.at(-1)?.id ?? 0)) return;
    if (joinAfterMs === 0) await this.#join(run, joined);
    else setTimeout(() => void this.#join(run, joined).catch(() => undefined), joinAfterMs).unref();
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
    let listening: Listening | undefined;
    let next = after;
    try {
      while (!wake.isOver) {
        const known = tail?.isEnded === true ? tail : this.#tails.get(head);
        if (known !== tail) known?.tell(wake);
        tail = known;
        if (tail === undefined && listening === undefined) {
          listening = this.#subscriber.listen(stream, () => wake.tell());
          await listening.within(subscribeLimitMs);
        }
        const part = toldPart(tail, next, wake) ?? (await this.#partFor(run, next, tail, signal));
        if (part === undefined) return;
        next = part.frames.at(-1)?.id ?? next;
        if (part.frames.length > 0) yield part.frames;
        if (part.isEnded) return;
        if (part.frames.length === 0) await wake.wait();
      }
    } finally {
      tail?.leave(wake);
      listening?.end();
      wake.close();
    }
  }

  async forget(runs: readonly RunKey[]): Promise<void> {
    for (const run of runs) {
      const { head, stream } = this.#keysOf(run);
      this.#dropTail(head);
      await this.#redis.del(head, stream);
      await publish(this.#redis, stream, 'gone');
    }
  }

  async #write(append: RedisAppend): Promise<void> {
    const { head, isLast, frames } = append;
    let outcome: AppendOutcome;
    try {
      outcome = await this.#appends.add(append);
    } catch (error) {
      // It may have taken effect.
      if (isLast) this.#dropTail(head);
      throw error;
    }
    const isTaken = outcome === 'taken';
    // Its readers here need not ask for the last frames.
    if (isTaken && isLast) this.#tails.get(head)?.end(frames);
    if (isTaken && !isLast) this.#tailOf(head).push(frames);
    // Its writer may begin it anew with these.
    else if (outcome !== 'gone' || frames.length === 0) this.#dropTail(head);
    if (outcome === 'gone') throw new RunLost('the log of the run is gone', { isGone: true });
    if (outcome === 'lost') throw lost();
  }

  #tailOf(head: string): RunTail {
    const tail = this.#tails.get(head) ?? new RunTail();
    this.#tails.set(head, tail);
    return tail;
  }

  /** What is not joined only takes more room until it goes. */
  async #join(run: RunKey, joined: readonly JoinedFrame[]): Promise<void> {
    const { head, stream } = this.#keysOf(run);
    await joinScript.run(this.#redis, [head, stream], joined.flatMap(entryOf));
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

  /** What Redis has for a reader; undefined when there is no log, and nobody in this process who would begin it anew. */
  async #partFor(
    run: RunKey,
    after: number,
    tail: RunTail | undefined,
    signal: AbortSignal,
  ): Promise<RunLogPart | undefined> {
    const nothing = { frames: [], isEnded: false };
    // A process that hears nothing of itself may have lost the run to another.
    if (tail?.read(after) !== undefined) return (await this.read(run, after).catch(() => nothing)) ?? nothing;
    return (await this.#readPatiently(run, after, signal)) ?? (tail && nothing);
  }

  async #readPatiently(run: RunKey, after: number, signal: AbortSignal): Promise<RunLogPart | undefined> {
    const { head } = this.#keysOf(run);
    for (let waitedMs = 0; ; waitedMs += retryMs) {
      try {
        return await this.read(run, after);
      } catch (error) {
        // Whoever writes it here may show by now what cannot be kept.
        const frames = this.#tails.get(head)?.read(after);
        if (frames !== undefined) return { frames, isEnded: false };
        if (signal.aborted || waitedMs >= this.#times.patienceMs) throw error;
        await sleep(retryMs);
      }
    }
  }
}

/** What the writer in this process has for a reader, which then need not wait; undefined where Redis is to be asked. */
function toldPart(tail: RunTail | undefined, after: number, wake: Wake): RunLogPart | undefined {
  const frames = tail?.read(after);
  if (tail === undefined || frames === undefined) return undefined;
  const { isEnded } = tail;
  return frames.length > 0 || isEnded || !isQuiet(wake) ? { frames, isEnded } : undefined;
}

/** As the scripts that take joined frames have them. */
function entryOf(frame: JoinedFrame): readonly (string | number)[] {
  return [frame.id, ...joinedFieldsOf(frame)];
}

function lost(): RunLost {
  return new RunLost('the run is gone, has ended or has another writer');
}
