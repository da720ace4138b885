import type { RunStart } from '../../runs/run-store.js';
import type { StoredToolCall } from '../../store/conversation-store.js';

/** A call that is about to be made. */
export interface NewCall extends Pick<StoredToolCall, 'id' | 'name' | 'kind' | 'args'> {
  /** Whose tool it is. */
  readonly plugin: string;
}

/** What came of a call: `done`, or `error` in words for the model. `output` is a JSON text. */
export interface CallOutcome {
  readonly status: 'done' | 'error';
  readonly output: string;
}

/** A call as it is known: without an outcome nobody knows whether it took effect. */
export interface KeptCall extends NewCall {
  readonly outcome?: CallOutcome;
}

/**
 * What the tools of runs were asked to do, from before they did it.
 *
 * Ownership: calls are those of a run, and are gone with it.
 * Order: calls are listed in the order in which they were begun.
 * Once: a call that is begun again is the same one; the first outcome of a call stays.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface CallRecords {
  /** All of them or none. */
  begin(run: RunStart, calls: readonly NewCall[]): Promise<void>;
  end(run: RunStart, callId: string, outcome: CallOutcome): Promise<void>;
  ofRun(run: RunStart): Promise<KeptCall[]>;
}
