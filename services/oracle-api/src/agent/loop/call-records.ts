import { isObject } from '../../parse-json.js';
import type { RunStart } from '../../runs/log/store.js';
import type { StoredToolCall } from '../../store/sessions.js';

/** A call that is about to be made. */
export interface NewCall extends Pick<StoredToolCall, 'id' | 'name' | 'kind' | 'args'> {
  /** Whose tool it is. */
  readonly plugin: string;
  /** For how long it waits for its owner, in ms, and for what; absent where it is made at once. */
  readonly waits?: { readonly ask: ApprovalAsk; readonly forMs: number };
}

/** What its owner is asked before a call is made. */
export interface ApprovalAsk {
  readonly title: string;
  /** Why it is asked. */
  readonly reason: string;
  /** Of the tool and of what it takes to call it, as they were: what is said holds for that and nothing else. */
  readonly fingerprint: string;
}

/** A call that its owner has to allow first. `begun` once it was, and was made. */
export interface CallApproval extends ApprovalAsk {
  readonly state: 'waiting' | 'allowed' | 'denied' | 'begun';
  /** What they said to it. */
  readonly why?: string;
}

/** What came of a call: `done`, or `error` in words for the model. `output` is a JSON text. */
export interface CallOutcome {
  readonly status: 'done' | 'error';
  readonly output: string;
  /** The output is in this service's own words. */
  readonly isOwn?: true;
}

/** A call as it is known: without an outcome nobody knows whether it took effect. */
export interface CallRecord extends Omit<NewCall, 'waits'> {
  readonly approval?: CallApproval;
  /** Until then it waits for its owner. */
  readonly expiresAt?: Date;
  readonly outcome?: CallOutcome;
}

/**
 * What the tools of runs were asked to do, from before they did it.
 *
 * Ownership: calls are those of a run, and are gone with it.
 * Order: calls are listed in the order in which they were begun.
 * Once: a call that is begun again is the same one; the first outcome of a call stays.
 * Failure: an unavailable store rejects; nothing is half done.
 */
export interface CallRecords {
  /** All of them or none. */
  begin(run: RunStart, calls: readonly NewCall[]): Promise<void>;
  end(run: RunStart, callId: string, outcome: CallOutcome): Promise<void>;
  /** Has a call that was allowed be begun: of many that try, for one and once. */
  beginApproved(run: RunStart, callId: string): Promise<boolean>;
  /** Has a call that was allowed wait once more, before it did anything. */
  requestApprovalAgain(run: RunStart, callId: string, ask: ApprovalAsk, forMs: number): Promise<void>;
  ofRun(run: RunStart): Promise<CallRecord[]>;
}

/** JSON with the fields of objects in order, so that equal values are equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
