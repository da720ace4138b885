import { setTimeout as sleep } from 'node:timers/promises';
import { isLive } from '../run.js';
import type { RunRepository } from '../run-repository.js';
import { type EndedRunDeps, framesFromAnswer, storedTextLength } from './ended-run.js';
import type { RunFrame, RunLogStore, RunStart } from './store.js';

export interface RunStreamParts extends EndedRunDeps {
  readonly runs: Pick<RunLogStore, 'read' | 'follow' | 'textLengthAt'>;
  /** A run that says nothing for so long is looked up. */
  readonly silenceMs: number;
  /** How often a run whose log cannot be read is looked up until it has ended. */
  readonly lookMs: number;
}

/**
 * The frames of a run after the given one, then those to come, with `done` last whatever became of the log: what it does
 * not have any more comes from what was kept of the answer. A reader that comes back is first told what it should have; that
 * frame repeats the id of the last one it saw, so that it changes nothing of where to go on. So does the one that says that
 * nothing can be read of a run that goes on: its log is looked for until it has ended.
 */
export async function* runStream(
  parts: RunStreamParts,
  run: RunStart,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly RunFrame[], void> {
  let last = after;
  if (after > 0) yield [await resumedFrame(parts, run, after)];
  for (let isTold = false; !signal.aborted; isTold = true) {
    const watch = new IdleTimeout(parts, run, last, signal);
    try {
      for await (const batch of parts.runs.follow(run, last, watch.signal)) {
        const frames = batch.some(isPause) ? await withoutPauses(parts, run, batch) : batch;
        yield frames;
        last = lastId(batch, last);
        if (frames.at(-1)?.event === 'done') return;
        watch.touch(last);
      }
    } catch {
      // Whether it can be read again is found out by reading.
    } finally {
      watch.close();
    }
    if (signal.aborted) return;
    const record = await parts.register.find(run.ownerDid, run.runId);
    if (record === undefined || !isLive(record.status)) {
      yield await framesFromAnswer(parts, run, record, last);
      return;
    }
    if (!isTold) yield [unreadableFrame(run, last)];
    await sleep(parts.lookMs, undefined, { signal }).catch(() => undefined);
  }
}

function lastId(frames: readonly RunFrame[], before: number): number {
  return frames.at(-1)?.id ?? before;
}

/** What the frames above `last` say comes when the run has ended, as far as it is kept, unless they can be read by then. */
function unreadableFrame({ runId, sessionId, requestId }: RunStart, last: number): RunFrame {
  const data = { runId, sessionId, requestId, resumed: true, attempt: 1, lost: { from: last + 1 } };
  return { id: last, event: 'run', data: JSON.stringify(data), textLength: 0 };
}

/** A run that has waited for its user, and goes on, has not ended where it waited. */
async function withoutPauses(
  { register }: RunStreamParts,
  { ownerDid, runId }: RunStart,
  frames: readonly RunFrame[],
): Promise<readonly RunFrame[]> {
  const { status } = (await register.find(ownerDid, runId)) ?? {};
  return frames.filter((frame, place) => !isPause(frame) || (status === 'waiting' && place === frames.length - 1));
}

function isPause({ event, data }: RunFrame): boolean {
  return event === 'done' && (JSON.parse(data) as { status?: unknown }).status === 'waiting';
}

async function resumedFrame(parts: RunStreamParts, run: RunStart, after: number): Promise<RunFrame> {
  const { runId, sessionId, requestId } = run;
  const textLength =
    (await parts.runs.textLengthAt(run, after).catch(() => undefined)) ?? (await storedTextLength(parts, run, after));
  const known = textLength === undefined ? {} : { partialLength: textLength };
  const data = { runId, sessionId, requestId, resumed: true, attempt: 1, ...known };
  return { id: after, event: 'run', data: JSON.stringify(data), textLength: textLength ?? 0 };
}

/** Made once: an error with a stack for each stream that ends costs more than its use. */
const isOver = new Error('the reading is over');

interface IdleTimeoutParts {
  readonly runs: Pick<RunLogStore, 'read'>;
  readonly register: Pick<RunRepository, 'find'>;
  readonly silenceMs: number;
}

/**
 * Ends the reading of a log that nobody will finish: its writer died between the end of the run and the end of the log.
 * It has to be found silent twice, by a store that answers, so that a writer who is only slow is waited for. One that was heard
 * since the last look is not looked at.
 */
export class IdleTimeout {
  readonly #parts: IdleTimeoutParts;
  readonly #run: RunStart;
  readonly #reader: AbortSignal;
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #last: number;
  #hasHeard = false;
  #timesSilent = 0;

  /**
   * @param last the frame after which it is read
   * @param signal of the reader, which ends the reading too.
   */
  constructor(parts: IdleTimeoutParts, run: RunStart, last: number, signal: AbortSignal) {
    this.#parts = parts;
    this.#run = run;
    this.#last = last;
    this.#reader = signal;
    if (signal.aborted) this.#end();
    // `AbortSignal.any` would be held weakly, which costs each stream more than all else here.
    signal.addEventListener('abort', this.#end);
    this.#timer = setInterval(() => void this.#look(), parts.silenceMs).unref();
  }

  /** Aborts when the reading is to end. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  touch(last: number): void {
    this.#last = last;
    this.#hasHeard = true;
    this.#timesSilent = 0;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#reader.removeEventListener('abort', this.#end);
  }

  readonly #end = (): void => this.#over.abort(isOver);

  async #look(): Promise<void> {
    const hasHeard = this.#hasHeard;
    this.#hasHeard = false;
    if (hasHeard) return;
    const { runId, ownerDid } = this.#run;
    const isAbandoned = await Promise.all([
      this.#parts.register.find(ownerDid, runId),
      this.#parts.runs.read(this.#run, this.#last),
    ]).then(
      ([record, part]) =>
        part?.frames.length === 0 &&
        !part.isEnded &&
        !(record !== undefined && (isLive(record.status) || record.status === 'waiting')),
      () => false,
    );
    this.#timesSilent = isAbandoned ? this.#timesSilent + 1 : 0;
    if (this.#timesSilent >= 2) this.#end();
  }
}
