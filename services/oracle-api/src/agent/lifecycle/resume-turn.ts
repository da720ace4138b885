import { readRun } from '../../runs/read-run.js';
import { TextMarks } from '../../runs/text-marks.js';
import type { ResumedRun } from '../calls/paused-turns.js';
import { Turn } from './turn.js';
import { questionIdOf, type RequestSecrets } from './turn-request.js';
import type { RunParts } from './turns-parts.js';

/** Turns that go on in one round. */
const turnsAtOnce = 20;

/** A turn whose user has just said what is to be done, and what came with that. */
export interface SettledTurn {
  readonly runId: string;
  readonly secrets: RequestSecrets;
}

/**
 * Takes the turns that need wait for their users no longer, as far as nobody else does and there is room for them: that of `settled`
 * first, with what came with its user's word.
 */
export async function* resumeTurns(
  parts: RunParts,
  hasRoom: () => boolean,
  settled?: SettledTurn,
): AsyncGenerator<Turn, void> {
  const { paused, approvals, lease, log } = parts;
  const due = await paused.listDue(turnsAtOnce);
  if (due.length > 0) await approvals.expire('Nobody decided in time.');
  for (const runId of new Set([...(settled === undefined ? [] : [settled.runId]), ...due])) {
    if (!hasRoom()) return;
    try {
      const run = await paused.resume(runId, lease);
      if (run !== undefined) yield await turnOf(run, parts, runId === settled?.runId ? settled.secrets : {});
    } catch (err) {
      // Where it was taken, it is an orphan once its lease has run out.
      log.error({ err, runId }, 'turn that waited not resumed');
    }
  }
}

/** The same turn: its message and its answer are in the conversation, and the rest was kept. */
async function turnOf({ state, ...run }: ResumedRun, parts: RunParts, secrets: RequestSecrets): Promise<Turn> {
  const { conversations, runs, models, lease } = parts;
  const { runId, ownerDid, sessionId, requestId } = run;
  const { tools, agActions, responseSchema, timezone, metadata } = state;
  const [session, question, answer] = await Promise.all([
    conversations.findSession(ownerDid, sessionId),
    conversations.findMessage(ownerDid, sessionId, questionIdOf(requestId)),
    conversations.findMessage(ownerDid, sessionId, requestId),
  ]);
  const model = models.find(state.modelId) ?? models.find(undefined);
  if (question === undefined || model === undefined) throw new Error('what the turn stands on is gone');
  const hasLog = await runs.takeOver(run, lease.writerId).catch(() => false);
  const marks = hasLog ? TextMarks.of(await readRun(runs, run)) : undefined;
  const { content: message, attachments } = question;
  const request = {
    ...{ ownerDid, sessionId, requestId, message, model, isFollowed: false },
    ...{ attachments, tools, agActions, responseSchema, timezone, metadata, ...secrets },
  };
  const turn = new Turn(request, runId, { state, answer, marks });
  turn.roomId = session?.roomId;
  turn.branch = question.branch ?? undefined;
  turn.hasLog = hasLog;
  return turn;
}
