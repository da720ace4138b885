import type { RunEvent } from '@mlango/schemas/oracle-events';
import { interruptedError } from '../../runs/interrupted-error.js';
import type { EndStatus } from '../../runs/run-register.js';
import type { RunFrame, RunStart } from '../../runs/run-store.js';
import type { StoredMessage } from '../../store/conversation-store.js';

const ends: ReadonlySet<unknown> = new Set<EndStatus>(['finished', 'aborted', 'interrupted', 'failed']);

/**
 * How a turn ended that another process brings to its end: as its readers were told, else as its answer was kept, which is the last thing that a
 * turn does before it tells; a turn that had done neither was interrupted.
 */
export function recoveredEnd(frames: readonly RunFrame[], kept: StoredMessage | undefined): EndStatus {
  const last = frames.at(-1);
  const told = last?.event === 'done' ? (JSON.parse(last.data) as { status?: unknown }).status : undefined;
  return [told, kept?.status].find(isEnd) ?? 'interrupted';
}

/** A turn that waits for its user has not ended. */
function isEnd(status: unknown): status is EndStatus {
  return ends.has(status);
}

export interface RecoveredAnswer {
  readonly run: RunStart;
  readonly frames: readonly RunFrame[];
  /** What the frames say of it. */
  readonly said: string;
  /** All of it. */
  readonly text: string;
  readonly status: EndStatus;
  /** Undefined where there is no answer. */
  readonly messageId: string | undefined;
  /** A tool was called. */
  readonly hasActed: boolean;
  readonly timestamp: string;
}

/** What readers of such a turn are told at last: the rest of an answer that is whole, else what became of it, and its end. */
export function endingEvents(answer: RecoveredAnswer): RunEvent[] {
  const { run, frames, said, text, status, messageId, hasActed, timestamp } = answer;
  const { runId, sessionId, requestId } = run;
  const isWhole = status === 'finished' || status === 'aborted';
  const rest = isWhole && text.startsWith(said) ? text.slice(said.length) : '';
  const isTold = isWhole || frames.some(({ event }) => event === 'error');
  const error = { ...interruptedError(hasActed), sessionId, requestId, timestamp };
  const done = {
    runId,
    ...(messageId === undefined ? {} : { messageId }),
    status,
    ...(status === 'finished' ? {} : { [status]: true }),
    ...(status === 'finished' || text === '' ? {} : { partialText: text }),
  };
  return [
    ...(rest === '' ? [] : [{ event: 'message' as const, data: { content: rest, timestamp } }]),
    ...(isTold ? [] : [{ event: 'error' as const, data: error }]),
    { event: 'done', data: done },
  ];
}
