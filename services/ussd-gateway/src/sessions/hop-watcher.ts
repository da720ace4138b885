import type { SessionRecord } from './session-record.js';
import type { StoredSession } from './session-store.js';

/** An answered hop: the session as it was found, and what the answer made of it. */
export interface AnsweredHop {
  readonly before: StoredSession | undefined;
  readonly kind: string;
  /** What was saved; undefined when the hop changed nothing. */
  readonly after: SessionRecord | undefined;
  /** From the arrival of the hop to its answer. */
  readonly answerMs: number;
}

/** Is told of every hop that got a screen. Neither waits nor throws. */
export interface HopWatcher {
  saw(hop: AnsweredHop): void;
}
