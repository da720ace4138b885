import type { RunEvent, RunEventName, RunStatus } from '@mlango/schemas/oracle-events';

/** Who and what a run is about. */
export interface RunStart {
  readonly runId: string;
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly requestId: string;
}

/** One event of a run as it is kept and sent. */
export interface RunFrame {
  /** 1 for the first frame of a run, and one more for each that follows. */
  readonly id: number;
  readonly event: RunEventName;
  /** JSON, without line breaks. */
  readonly data: string;
}

/**
 * The frames of runs. A run is written by one writer and read by any number of readers, at their own pace.
 *
 * Order: frames are read in the order in which they were appended, with ids 1, 2, 3 … and none left out.
 * Isolation: readers share what is kept. A slow one costs no memory of its own and holds up nobody.
 * Retention: a run that has ended stays readable for a while; how long is the adapter's. A reader that has begun is
 * never cut short by it.
 * Failure: a store that cannot be reached rejects. Writers go on without it: a turn is worth more than its stream.
 */
export interface RunStore {
  begin(run: RunStart): Promise<void>;
  /** Appends to a run that has begun and not ended; rejects otherwise. */
  append(runId: string, event: RunEvent): Promise<void>;
  /** After the last frame. Readers come to their end when they have read everything. */
  end(runId: string, status: RunStatus): Promise<void>;
  /**
   * The frames with an id above `after`, then those to come, in batches of bounded size, until the run has ended or
   * `signal` aborts. An unknown run has no frames.
   */
  follow(runId: string, after: number, signal: AbortSignal): AsyncIterable<readonly RunFrame[]>;
  /** Drops what is kept of a session's runs that have ended. */
  forgetSession(ownerDid: string, sessionId: string): Promise<void>;
}
