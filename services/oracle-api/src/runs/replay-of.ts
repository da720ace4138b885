import type { JoinedFrame, RunFrame, RunStart } from './run-store.js';
import type { TextMarks } from './text-marks.js';

/** That a run has begun. */
export function firstFrame({ runId, sessionId, requestId }: RunStart): RunFrame {
  return { id: 1, event: 'run', data: JSON.stringify({ runId, sessionId, requestId }), textLength: 0 };
}

/**
 * What is known of the frames 1 to `upTo` of a run when they are lost: that it began, and its text, as one frame. Whoever has some
 * of it is given the rest.
 */
export function replayOf(run: RunStart, text: string, marks: TextMarks, upTo: number, now: Date): JoinedFrame[] {
  if (upTo < 1) return [];
  const textLength = marks.lengthAt(upTo);
  const begun = firstFrame(run);
  if (upTo === 1) return [begun];
  const data = JSON.stringify({ content: text.slice(0, textLength), timestamp: now.toISOString() });
  return [begun, { id: upTo, event: 'message', data, textLength, lengths: marks.lengths(upTo).slice(1) }];
}
