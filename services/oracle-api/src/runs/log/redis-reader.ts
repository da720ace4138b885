import { setTimeout as sleep } from 'node:timers/promises';
import type { Listening, RedisClient, RedisSubscriber } from '@mlango/service-kit/redis';
import { z } from 'zod';
import { partChars } from './memory.js';
import { Notifier } from './notifier.js';
import type { RunKeys } from './redis-scripts.js';
import { readEntry, readScript } from './redis-scripts.js';
import type { RunFrame, RunLogPart } from './store.js';
import type { RunTail } from './tail.js';

const entry = z.tuple([z.string(), z.array(z.string())]);
const readReply = z.tuple([z.int(), z.int(), z.array(entry)]).nullable();

const retryMs = 250;

/**
 * A local reader queries Redis only at each fifth wait without a notification, to spare a slow process. Its writer detects a takeover at
 * the next write or lease renewal.
 */
const ownWaits = 5;

const isQuiet = ({ quietWaits }: Notifier): boolean => quietWaits > 0 && quietWaits % ownWaits === 0;

export interface RedisRunReaderParts {
  readonly redis: RedisClient;
  readonly subscriber: RedisSubscriber;
  /** Tails of the runs that this process writes, by hash key. */
  readonly tails: ReadonlyMap<string, RunTail>;
  readonly times: { readonly lookMs: number; readonly patienceMs: number };
}

/** Reads runs from the tails of this process, else from Redis. */
export class RedisRunReader {
  readonly #parts: RedisRunReaderParts;

  constructor(parts: RedisRunReaderParts) {
    this.#parts = parts;
  }

  read(run: RunKeys, after: number): Promise<RunLogPart | undefined> {
    return this.#read(run, after, partChars);
  }

  async textLengthAt(run: RunKeys, id: number): Promise<number | undefined> {
    const frame = (await this.#read(run, id - 1, 0))?.frames[0];
    return frame?.id === id ? frame.textLength : undefined;
  }

  async *follow(run: RunKeys, after: number, signal: AbortSignal): AsyncIterable<readonly RunFrame[]> {
    const { head, stream } = run;
    const { subscriber, tails, times } = this.#parts;
    const notifier = new Notifier(signal, times.lookMs);
    let tail: RunTail | undefined;
    let listening: Listening | undefined;
    let next = after;
    try {
      while (!notifier.isOver) {
        const known = tail?.isEnded === true ? tail : tails.get(head);
        if (known !== tail) known?.addReader(notifier);
        tail = known;
        if (tail === undefined && listening === undefined) {
          listening = subscriber.listen(stream, () => notifier.notify());
          // Without a subscription a reader still polls.
          await listening.within();
        }
        const part = bufferedPart(tail, next, notifier) ?? (await this.#partFor(run, next, tail, signal));
        if (part === undefined) return;
        next = part.frames.at(-1)?.id ?? next;
        if (part.frames.length > 0) yield part.frames;
        if (part.isEnded) return;
        if (part.frames.length === 0) await notifier.wait();
      }
    } finally {
      tail?.removeReader(notifier);
      listening?.end();
      notifier.close();
    }
  }

  async #read(run: RunKeys, after: number, limitChars: number) {
    const reply = readReply.parse(await readScript.run(this.#parts.redis, [run.head, run.stream], [after, limitChars]));
    if (reply === null) return undefined;
    const [ended, last, entries] = reply;
    const frames: readonly RunFrame[] = entries.map(readEntry);
    return { frames, isEnded: ended === 1 && (frames.at(-1)?.id ?? after) >= last };
  }

  /** Frames for a reader from Redis; undefined without a log and without a local writer that would restart it. */
  async #partFor(
    run: RunKeys,
    after: number,
    tail: RunTail | undefined,
    signal: AbortSignal,
  ): Promise<RunLogPart | undefined> {
    const nothing = { frames: [], isEnded: false };
    // A local writer without new frames may have been replaced by another process.
    if (tail?.read(after) !== undefined) return (await this.read(run, after).catch(() => nothing)) ?? nothing;
    return (await this.#readPatiently(run, after, signal)) ?? (tail && nothing);
  }

  async #readPatiently(run: RunKeys, after: number, signal: AbortSignal): Promise<RunLogPart | undefined> {
    const { tails, times } = this.#parts;
    for (let waitedMs = 0; ; waitedMs += retryMs) {
      try {
        return await this.read(run, after);
      } catch (error) {
        // The local writer may have unsaved frames by now.
        const frames = tails.get(run.head)?.read(after);
        if (frames !== undefined) return { frames, isEnded: false };
        if (signal.aborted || waitedMs >= times.patienceMs) throw error;
        await sleep(retryMs);
      }
    }
  }
}

/** Frames for a reader from the local tail; undefined when Redis has to be queried. */
function bufferedPart(tail: RunTail | undefined, after: number, notifier: Notifier): RunLogPart | undefined {
  const frames = tail?.read(after);
  if (tail === undefined || frames === undefined) return undefined;
  const { isEnded } = tail;
  return frames.length > 0 || isEnded || !isQuiet(notifier) ? { frames, isEnded } : undefined;
}
