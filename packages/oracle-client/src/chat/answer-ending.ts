import type { LiveTurn } from './live-turn.js';
import type { AnswerEnding } from './message.js';
import type { MessageRecord } from './message-record.js';

const endings: Readonly<Record<string, AnswerEnding>> = {
  aborted: 'stopped',
  interrupted: 'interrupted',
  failed: 'failed',
};

/**
 * How an answer ended that did not come to its own end; undefined for all others, and while it comes. What the oracle has kept stands before what this page
 * saw, which may have been cut off before the end. Pure.
 */
export function answerEnding(
  record: Pick<MessageRecord, 'status' | 'finishReason'> | undefined,
  turn: Pick<LiveTurn, 'phase' | 'run' | 'draft'> | undefined,
): AnswerEnding | undefined {
  if (turn?.phase === 'reading') return undefined;
  if (record?.status !== undefined) return endingOf(record.status, record.finishReason === 'length');
  return turn?.phase === 'over' ? endingOf(turn.run?.status, turn.draft.isCut === true) : undefined;
}

function endingOf(status: string | undefined, isCut: boolean): AnswerEnding | undefined {
  return endings[status ?? ''] ?? (isCut ? 'length' : undefined);
}
