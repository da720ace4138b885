import { publish, type RedisClient, type RedisSubscriber } from '@mlango/service-kit/redis';
import { joinAfterMs } from './frames.js';
import { type AppendOutcome, type RedisAppend, RedisAppends } from './redis-appends.js';
import { RedisRunReader } from './redis-reader.js';
import { beginScript, joinedFieldsOf, joinScript, keysOf, type RunKeys, takeOverScript } from './redis-scripts.js';
import { type JoinedFrame, type RunFrame, type RunKey, type RunLogPart, type RunLogStore, RunLost } from './store.js';
import { RunTail } from './tail.js';

export interface RedisRunLogTimes {
  /** Retention after the last frame, in ms. */
  readonly retentionMs: number;
  /** Retention after the end of a run with a stored answer, in ms. Default: `retentionMs`. */
  readonly framesMs?: number;
  /** Time after the end before the texts of such a run are joined, in ms. */
  readonly joinAfterMs?: number;
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
    this.#times = { lookMs: 1_000, patienceMs: 5_000, framesMs: times.retentionMs, joinAfterMs, ...times };
    this.#reader = new RedisRunReader({ redis, subscriber, tails: this.#tails, times: this.#times });
  }

  async begin(run: RunKey, writerId: string, before: readonly JoinedFrame[] = []): Promise<void> {
    const { head, stream } = this.#keysOf(run);
    const values = [writerId, this.#times.retentionMs, ...before.flatMap(entryOf)];
    const reply = await beginScript.run(this.#redis, [head, stream], values);
    if (reply !== 1) throw new Error('a run with this id exists');
    // Readers in the writer's process also receive the earlier text of a lost log.
    if (!this.#tails.has(head)) this.#tails.set(head, new RunTail(before));
  }

  showUnsaved(run: RunKey, frames: readonly JoinedFrame[]): void {
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
      await publish(this.#redis, stream, 'gone');
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
    const isTaken = outcome === 'taken';
    // Readers in this process do not need to query Redis for the last frames.
    if (isTaken && isLast) this.#tails.get(head)?.end(frames);
    if (isTaken && !isLast) this.#tailOf(head).push(frames);
    // Its writer may begin it anew with these.
    else if (outcome !== 'gone' || frames.length === 0) this.#dropTail(head);
    if (outcome === 'gone') throw new RunLost('the log of the run has expired', { isGone: true });
    if (outcome === 'lost') throw lost();
  }

  #tailOf(head: string): RunTail {
    const tail = this.#tails.get(head) ?? new RunTail();
    this.#tails.set(head, tail);
    return tail;
  }

  /** Best effort: unjoined frames only use more memory until they expire. */
  async #join(run: RunKey, joined: readonly JoinedFrame[]): Promise<void> {
    const { head, stream } = this.#keysOf(run);
    await joinScript.run(this.#redis, [head, stream], joined.flatMap(entryOf));
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
    tail?.wake();
  }
}

/** A frame as arguments of the scripts that take joined frames. */
function entryOf(frame: JoinedFrame): readonly (string | number)[] {
  return [frame.id, ...joinedFieldsOf(frame)];
}

function lost(): RunLost {
  return new RunLost('the run has expired, has ended or has another writer');
}
