import type { TextMarks } from '../../runs/text-marks.js';
import type { StoredMessage } from '../../store/conversation-store.js';
import { endHeld } from '../after/tell-meters.js';
import type { Turn } from './turn.js';
import { answerParts, type Ending, isEmpty, outcomeOf, type TurnOutcome } from './turn-outcome.js';
import type { RunParts } from './turns-parts.js';

/**
 * Keeps the answer of a turn and ends its run in one step, before its end is told. Undefined where that takes more steps, and nothing is done:
 * where there is no answer, where it is the rest of one, where meters have to be told between the two, and where the step failed.
 *
 * @param marks of the frames so far
 */
export async function keepLast(
  turn: Turn,
  parts: Pick<RunParts, 'register' | 'lease' | 'meters' | 'untold' | 'gate' | 'log' | 'now'>,
  ending: Ending,
  marks: TextMarks,
): Promise<TurnOutcome | undefined> {
  const outcome = outcomeOf(turn.draft, ending);
  const { status } = outcome;
  if (status === 'waiting' || turn.resumed !== undefined || parts.meters.length > 0 || isEmpty(outcome))
    return undefined;
  const { runId, requestId } = turn.run;
  // `done` is to come, and after a failure `error` before it.
  const textMarks = marks.followedBy(outcome.failure === undefined ? 1 : 2).toString();
  const answer = answerOf(turn, status, parts.now);
  let isKept = false;
  try {
    await endHeld(parts, runId, { metered: undefined, isTold: true, hasWaited: false }, async () => {
      const added = await parts.register.endAnswered(turn.run, parts.lease.writerId, status, answer, textMarks);
      isKept = added === 'added';
    });
  } catch (err) {
    parts.log.error({ err, runId }, 'answer and end of a run not kept in one step; trying one by one');
    return undefined;
  }
  return isKept ? { ...outcome, messageId: requestId } : outcome;
}

/** The answer of a turn as it is kept. */
export function answerOf({ run, draft, resumed }: Turn, status: TurnOutcome['status'], now: () => Date): StoredMessage {
  const message = { messageId: run.requestId, turnId: run.runId, type: 'ai' as const, ...answerParts(draft) };
  return { ...message, status, createdAt: resumed?.answer?.createdAt ?? now() };
}
