import { setTimeout as sleep } from 'node:timers/promises';
import { isLive } from '../run.js';
import type { RunRepository } from '../run-repository.js';
import { type EndedRunDeps, framesFromAnswer, storedTextLength } from './ended-run.js';
import type { RunFrame, RunLogStore, RunStart } from './store.js';

export interface RunStreamParts extends EndedRunDeps {
  readonly runs: Pick<RunLogStore, 'read' | 'follow' | 'textLengthAt'>;
  /** Silence after which a run is looked up, in ms. */
  readonly silenceMs: number;
  /** Poll interval for a run with an unreadable log, in ms. */
  readonly lookMs: number;
}

/**
 * The frames of a run after the frame `after`, then new ones, with `done` always last. Frames that the log lacks are built from the stored
 * answer. A resuming reader first receives a `run` frame with its known text length, under the id of the last frame it saw, so its
 * position does not change. The same holds for the frame that reports an unreadable log of a live run; the log is polled until the run
 * ends.
 */
export async function* runStream(
  parts: RunStreamParts,
  run: RunStart,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly RunFrame[], void> {
  let last = after;
  if (after > 0) yield [await resumedFrame(parts, run, after)];
  for (let isReported = false; !signal.aborted; isReported = true) {
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
    const record = await parts.runRepository.find(run.ownerDid, run.runId);
    if (record === undefined || !isLive(record.status)) {
      yield await framesFromAnswer(parts, run, record, last);
      return;
    }
    if (!isReported) yield [unreadableFrame(run, last)];
    await sleep(parts.lookMs, undefined, { signal }).catch(() => undefined);
  }
}

function lastId(frames: readonly RunFrame[], before: number): number {
  return frames.at(-1)?.id ?? before;
}

/** Reports that frames above `last` are unreadable for now. They follow at the end of the run, if stored. */
function unreadableFrame({ runId, sessionId, requestId }: RunStart, last: number): RunFrame {
  const data = { runId, sessionId, requestId, resumed: true, attempt: 1, lost: { from: last + 1 } };
  return { id: last, event: 'run', data: JSON.stringify(data), textLength: 0 };
}

/** Drops the suspension frames of a run that has resumed. */
async function withoutPauses(
  { runRepository }: RunStreamParts,
  { ownerDid, runId }: RunStart,
  frames: readonly RunFrame[],
): Promise<readonly RunFrame[]> {
  const { status } = (await runRepository.find(ownerDid, runId)) ?? {};
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

/** Shared, because an error with a stack for each ended stream is expensive. */
const isOver = new Error('the reader was closed');

interface IdleTimeoutParts {
  readonly runs: Pick<RunLogStore, 'read'>;
  readonly runRepository: Pick<RunRepository, 'find'>;
  readonly silenceMs: number;
}

/**
 * Ends the reading of an abandoned log: its writer died between the end of the run and the end of the log.
 * The log has to be silent at two checks of an available store, so that a slow writer is waited for. A check is skipped if frames
 * arrived since the previous one.
 */
export class IdleTimeout {
  readonly #parts: IdleTimeoutParts;
  readonly #run: RunStart;
  readonly #reader: AbortSignal;
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #last: number;
  #hasFrames = false;
  #timesSilent = 0;

  /**
   * @param last id of the last frame read
   * @param signal of the reader; its abort ends the reading
   */
  constructor(parts: IdleTimeoutParts, run: RunStart, last: number, signal: AbortSignal) {
    this.#parts = parts;
    this.#run = run;
    this.#last = last;
    this.#reader = signal;
    if (signal.aborted) this.#end();
    // `AbortSignal.any` holds its sources weakly, which costs more per stream than everything else here.
    signal.addEventListener('abort', this.#end);
    this.#timer = setInterval(() => void this.#check(), parts.silenceMs).unref();
  }

  /** Aborts when the reading ends. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  touch(last: number): void {
    this.#last = last;
    this.#hasFrames = true;
    this.#timesSilent = 0;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#reader.removeEventListener('abort', this.#end);
  }

  readonly #end = (): void => this.#over.abort(isOver);

  async #check(): Promise<void> {
    const hasFrames = this.#hasFrames;
    this.#hasFrames = false;
    if (hasFrames) return;
    const { runId, ownerDid } = this.#run;
    const isAbandoned = await Promise.all([
      this.#parts.runRepository.find(ownerDid, runId),
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
