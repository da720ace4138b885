import { type LiveEvent, type RunEvent, runEvents } from '@mlango/schemas/oracle-events';

/** Owner and id of a run. */
export interface RunKey {
  readonly runId: string;
  readonly ownerDid: string;
}

/** Owner, session and request of a run. */
export interface RunStart extends RunKey {
  readonly sessionId: string;
  readonly requestId: string;
}

/** One event of a run as stored and sent. */
export interface RunFrame {
  /** 1 for the first frame of a run, and one more for each that follows. */
  readonly id: number;
  readonly event: LoggedEvent['event'];
  /** JSON, without line breaks. */
  readonly data: string;
  /** Characters of the answer up to and including this frame. */
  readonly textLength: number;
}

/** A part of the log of a run. `isEnded` when nothing follows it. */
export interface RunLogPart {
  readonly frames: readonly RunFrame[];
  readonly isEnded: boolean;
}

/** The writer no longer holds the run: it was taken over, ended, or its log was deleted. */
export class StaleWriterError extends Error {
  override readonly name = 'StaleWriterError';
  /** The log, or a part of it, is missing, and it has no other writer: the lease holder may start it again. */
  readonly isMissing: boolean;

  constructor(message: string, { isMissing = false } = {}) {
    super(message);
    this.isMissing = isMissing;
  }
}

/**
 * The frames of runs. A run has one writer and any number of readers, each at its own pace.
 * Ownership: a run is found only under its owner; the run of another owner is absent.
 * One writer: `takeOver` fences the previous writer.
 * Order: frames are read in the order of their ids 1, 2, 3, …; only a log that replaces a missing one has gaps. Stored frames are skipped
 * on append, so a writer may repeat an append with an unknown outcome. A log that lost its last frames counts as missing at the next append.
 * Isolation: readers share the stored frames. A slow reader costs no memory and delays no other reader.
 * Retention: an ended run stays readable for a time set by the adapter, shorter if the answer is stored in the conversation.
 * Failure: an unavailable store rejects, and readers wait for it for a limited time. An append is atomic.
 */
export interface RunLogStore {
  /**
   * An open log of the same writer is replaced.
   * @param frames the first frames, or those that replace a missing log; the log continues after the last of their ids
   * @throws when the run has another writer or has ended
   */
  begin(run: RunKey, writerId: string, frames?: readonly RunFrame[]): Promise<void>;
  /** Makes another process the writer. False when the log is missing or has ended. */
  takeOver(run: RunKey, writerId: string): Promise<boolean>;
  /** @throws {StaleWriterError} when the run has another writer, has ended, or lacks frames before these */
  append(run: RunKey, writerId: string, frames: readonly RunFrame[]): Promise<void>;
  /** Sends frames that cannot be stored now to the readers of this process: at first the whole log, then each new frame. */
  showUnsaved(run: RunKey, frames: readonly RunFrame[]): void;
  /** Releases what this process holds for readers of a suspended run. The log is unchanged. */
  pause(run: RunKey): void;
  /**
   * Ends the log with its last frames, in one step. Readers end after they have read everything.
   * @param isAnswerStored the answer is stored in the conversation, so the frames may be deleted early
   * @param last frames not appended yet, default none
   * @throws {StaleWriterError} when the run has another writer or has ended
   */
  end(run: RunKey, writerId: string, isAnswerStored: boolean, last?: readonly RunFrame[]): Promise<void>;
  /** The stored frames with an id above `after`, up to a bounded size; undefined without a log. */
  read(run: RunKey, after: number): Promise<RunLogPart | undefined>;
  /** Characters of the answer up to and including a frame; undefined without that frame. */
  textLengthAt(run: RunKey, id: number): Promise<number | undefined>;
  /** The frames of `read` and then new ones, until the run ends, its log is deleted or `signal` aborts. */
  follow(run: RunKey, after: number, signal: AbortSignal): AsyncIterable<readonly RunFrame[]>;
  /** Deletes the logs of these runs. Running ones lose their writers. */
  forget(runs: readonly RunKey[]): Promise<void>;
}

/** Events in the log of a run: those of its stream, and rendered components, which other protocols send. */
export type LoggedEvent = RunEvent | Extract<LiveEvent, { event: 'render_component' }>;

export function isLoggedEvent(event: RunEvent | LiveEvent): event is LoggedEvent {
  return isStreamEvent(event) || event.event === 'render_component';
}

/** Whether our own stream sends the event. Its clients receive components over their sockets. */
export function isStreamEvent({ event }: { readonly event: string }): boolean {
  return Object.hasOwn(runEvents, event);
}

/** All stored frames of a run. */
export async function readFrames(runs: Pick<RunLogStore, 'read'>, run: RunKey): Promise<RunFrame[]> {
  const frames: RunFrame[] = [];
  for (;;) {
    const part = await runs.read(run, frames.at(-1)?.id ?? 0);
    if (part === undefined || part.frames.length === 0) return frames;
    frames.push(...part.frames);
  }
}
