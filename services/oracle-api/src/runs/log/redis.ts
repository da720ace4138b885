import { publish, type RedisClient, type RedisSubscriber } from '@mlango/service-kit/redis';
import { type AppendOutcome, type RedisAppend, RedisAppends } from './redis-appends.js';
import { RedisRunReader } from './redis-reader.js';
import { beginScript, fieldsOf, keysOf, type RunKeys, takeOverScript } from './redis-scripts.js';
import { type RunFrame, type RunKey, type RunLogPart, type RunLogStore, StaleWriterError } from './store.js';
import { RunTail } from './tail.js';

export interface RedisRunLogTimes {
  /** Retention after the last frame, in ms. */
  readonly retentionMs: number;
  /** Retention after the end of a run with a stored answer, in ms. Default: `retentionMs`. */
  readonly framesMs?: number;
  /** Poll interval of a reader without notifications, in ms. */
  readonly lookMs?: number;
  /** How long a reader waits for an unavailable Redis, in ms. */
  readonly patienceMs?: number;
}

/** Run logs shared by all processes on one Redis or Valkey, as streams. Every key expires. */
export class RedisRunLogStore implements RunLogStore {
  readonly #redis: RedisClient;
  readonly #appends: RedisAppends;
  readonly #reader: RedisRunReader;
  /** Tails of the runs that this process writes. */
  readonly #tails = new Map<string, RunTail>();
  readonly #times: Required<RedisRunLogTimes>;
  /** Cached, because building the keys costs more than using them and a writer needs them for each frame. */
  readonly #keys = new WeakMap<RunKey, RunKeys>();

  constructor(redis: RedisClient, subscriber: RedisSubscriber, times: RedisRunLogTimes) {
    this.#redis = redis;
    this.#appends = new RedisAppends(redis);
    this.#times = { lookMs: 1_000, patienceMs: 5_000, framesMs: times.retentionMs, ...times };
    this.#reader = new RedisRunReader({ redis, subscriber, tails: this.#tails, times: this.#times });
  }

  async begin(run: RunKey, writerId: string, frames: readonly RunFrame[] = []): Promise<void> {
    const { head, stream } = this.#keysOf(run);
    const values = [writerId, this.#times.retentionMs, ...frames.flatMap((frame) => [frame.id, ...fieldsOf(frame)])];
    const reply = await beginScript.run(this.#redis, [head, stream], values);
    if (reply !== 1) throw new Error('the run has another writer or has ended');
    // Readers in the writer's process also receive the earlier text of a missing log.
    if (!this.#tails.has(head)) this.#tails.set(head, new RunTail(frames));
  }

  showUnsaved(run: RunKey, frames: readonly RunFrame[]): void {
    this.#tailOf(this.#keysOf(run).head).show(frames);
  }

  async takeOver(run: RunKey, writerId: string): Promise<boolean> {
    const { head } = this.#keysOf(run);
    const isTaken = (await takeOverScript.run(this.#redis, [head], [writerId])) === 1;
    // The position of the log is known after the next write.
    this.#dropTail(head);
    if (isTaken) this.#tails.set(head, new RunTail());
    return isTaken;
  }

  append(run: RunKey, writerId: string, frames: readonly RunFrame[]): Promise<void> {
    const { head, stream } = this.#keysOf(run);
    return this.#write({ head, stream, writerId, isLast: false, retentionMs: this.#times.retentionMs, frames });
  }

  pause(run: RunKey): void {
    this.#dropTail(this.#keysOf(run).head);
  }

  end(run: RunKey, writerId: string, isAnswerStored: boolean, last: readonly RunFrame[] = []): Promise<void> {
    const { head, stream } = this.#keysOf(run);
    const retentionMs = isAnswerStored ? this.#times.framesMs : this.#times.retentionMs;
    return this.#write({ head, stream, writerId, isLast: true, retentionMs, frames: last });
  }

  read(run: RunKey, after: number): Promise<RunLogPart | undefined> {
    return this.#reader.read(this.#keysOf(run), after);
  }

  textLengthAt(run: RunKey, id: number): Promise<number | undefined> {
    return this.#reader.textLengthAt(this.#keysOf(run), id);
  }

  follow(run: RunKey, after: number, signal: AbortSignal): AsyncIterable<readonly RunFrame[]> {
    return this.#reader.follow(this.#keysOf(run), after, signal);
  }

  async forget(runs: readonly RunKey[]): Promise<void> {
    for (const run of runs) {
      const { head, stream } = this.#keysOf(run);
      this.#dropTail(head);
      await this.#redis.del(head, stream);
      await publish(this.#redis, stream, 'deleted');
    }
  }

  async #write(append: RedisAppend): Promise<void> {
    const { head, isLast, frames } = append;
    let outcome: AppendOutcome;
    try {
      outcome = await this.#appends.add(append);
    } catch (error) {
      // The append may have taken effect.
      if (isLast) this.#dropTail(head);
      throw error;
    }
    const isStored = outcome === 'stored';
    // Readers in this process do not need to query Redis for the last frames.
    if (isStored && isLast) this.#tails.get(head)?.end(frames);
    if (isStored && !isLast) this.#tailOf(head).push(frames);
    // The writer may restart the log with these frames.
    else if (outcome !== 'missing' || frames.length === 0) this.#dropTail(head);
    if (outcome === 'missing')
      throw new StaleWriterError('the log of the run, or a part of it, is missing', { isMissing: true });
    if (outcome === 'stale') throw staleWriter();
  }

  #tailOf(head: string): RunTail {
    const tail = this.#tails.get(head) ?? new RunTail();
    this.#tails.set(head, tail);
    return tail;
  }

  #keysOf(run: RunKey): RunKeys {
    const known = this.#keys.get(run);
    if (known !== undefined) return known;
    const keys = keysOf(run);
    this.#keys.set(run, keys);
    return keys;
  }

  /** Readers continue with the stored frames, notified by its writer. */
  #dropTail(head: string): void {
    const tail = this.#tails.get(head);
    this.#tails.delete(head);
    tail?.notifyReaders();
  }
}

function staleWriter(): StaleWriterError {
  return new StaleWriterError('the run has expired, has ended or has another writer');
}
