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
  /** Characters of the answer up to and with this frame. */
  readonly textLength: number;
}

/** A frame that stands for several: what they said in a row stands together in it, under the id of the last of them. */
export interface JoinedFrame extends RunFrame {
  /** Characters that each of the frames brought which it stands for; absent for a frame that stands for itself. */
  readonly lengths?: readonly number[];
}

/** A part of a run's log. `isEnded` when nothing follows it. */
export interface RunLogPart {
  readonly frames: readonly JoinedFrame[];
  readonly isEnded: boolean;
}

/** The writer has lost the run: taken over, ended, or its log was deleted. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
  /** The log is missing and has no other writer: the lease holder may start it again. */
  readonly isGone: boolean;

  constructor(message: string, { isGone = false } = {}) {
    super(message);
    this.isGone = isGone;
  }
}

/**
 * The frames of runs. A run is written by one writer and read by any number of readers, at their own pace.
 *
 * Ownership: a run is found under its owner only; another's is exactly like one that does not exist.
 * One writer: `takeOver` shuts the writer before it out, whatever that one believes.
 * Order: frames are read in the order of their ids, 1, 2, 3 … and none left out. Frames that are there already are
 * passed over, so that a writer may repeat an append of which it does not know whether it took effect.
 * Isolation: readers share what is kept. A slow one costs no memory of its own and holds up nobody.
 * Retention: a run that has ended stays readable for a while; how long is the adapter's, and less where the answer is kept
 * elsewhere. Of such a run text that came in a row may be read as one frame, under the id of the last of those it joins: a
 * reader who begins in the middle of it is given the rest.
 * Failure: a store that cannot be reached rejects, and readers wait for it for a while. An append takes effect as a whole.
 */
export interface RunLogStore {
  /** @param before what a log had that was lost, with its text joined: it goes on above the last of those ids. */
  begin(run: RunKey, writerId: string, before?: readonly JoinedFrame[]): Promise<void>;
  /** Makes another process the writer. False when there is no such log, or it has ended. */
  takeOver(run: RunKey, writerId: string): Promise<boolean>;
  /** @throws {RunLost} when the run is not this writer's any more. */
  append(run: RunKey, writerId: string, frames: readonly RunFrame[]): Promise<void>;
  /**
   * Shows readers in this process what cannot be kept now: the first time all that there is, with the text of what was kept
   * joined, and then what follows. Nothing of it is kept.
   */
  showUnsaved(run: RunKey, frames: readonly JoinedFrame[]): void;
  /** Nothing follows for now, maybe for days: what is held for readers in this process is let go. The log stays as it is. */
  pause(run: RunKey): void;
  /**
   * Ends the log with its last frames, in one step. Readers come to their end when they have read everything.
   *
   * @param isKept the answer is kept elsewhere, so the frames may go soon.
   * @param last frames that have not been appended yet. None unless given.
   * @param joined all frames of the log in fewer, where the writer has them: what is kept elsewhere then takes less room soon.
   * @throws {RunLost} when the run is not this writer's any more.
   */
  end(
    run: RunKey,
    writerId: string,
    isKept: boolean,
    last?: readonly RunFrame[],
    joined?: readonly JoinedFrame[],
  ): Promise<void>;
  /** The frames with an id above `after` that are there, up to a bounded size; undefined when there is no such log. */
  read(run: RunKey, after: number): Promise<RunLogPart | undefined>;
  /** Characters of the answer up to and with a frame; undefined when there is no such frame. */
  textLengthAt(run: RunKey, id: number): Promise<number | undefined>;
  /** What `read` gives, and then what is to come, until the run has ended, its log is gone or `signal` aborts. */
  follow(run: RunKey, after: number, signal: AbortSignal): AsyncIterable<readonly RunFrame[]>;
  /** Drops what is kept of these runs, also of running ones, whose writers are shut out. */
  forget(runs: readonly RunKey[]): Promise<void>;
}

/** What the log of a run keeps: what its stream carries, and components that were shown, of which doors for other clients tell. */
export type LoggedEvent = RunEvent | Extract<LiveEvent, { event: 'render_component' }>;

export function isLoggedEvent(event: RunEvent | LiveEvent): event is LoggedEvent {
  return isStreamEvent(event) || event.event === 'render_component';
}

/** Whether our own stream carries it: clients of that are told of components by their sockets. */
export function isStreamEvent({ event }: { readonly event: string }): boolean {
  return Object.hasOwn(runEvents, event);
}

/** All frames of a run that there are. */
export async function readFrames(runs: Pick<RunLogStore, 'read'>, run: RunKey): Promise<JoinedFrame[]> {
  const frames: JoinedFrame[] = [];
  for (;;) {
    const part = await runs.read(run, frames.at(-1)?.id ?? 0);
    if (part === undefined || part.frames.length === 0) return frames;
    frames.push(...part.frames);
  }
}
