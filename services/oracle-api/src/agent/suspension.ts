import { textEndsOf } from '../runs/log/frames.js';
import { readFrames } from '../runs/log/store.js';
import type { TurnDeps } from './deps.js';
import type { ResumedRun } from './loop/suspended-runs.js';
import type { LoopSuspension } from './loop/tool-loop.js';
import { answerNotStored, Turn, type TurnOutcome } from './turn.js';
import type { TurnEvents } from './turn-events.js';
import { questionIdOf, type RequestSecrets } from './turn-request.js';
import type { MeteredTurn } from './usage.js';

/** Runs resumed in one round. */
const turnsAtOnce = 20;

/** A run with a new decision, and the secrets of that request. */
export interface SettledTurn {
  readonly runId: string;
  readonly secrets: RequestSecrets;
}

/**
 * Resumes suspended runs with decided or expired calls, up to this process's capacity: the run of `settled` first, with the
 * secrets of its decision.
 */
export async function* resumeTurns(
  parts: TurnDeps,
  hasRoom: () => boolean,
  settled?: SettledTurn,
): AsyncGenerator<Turn, void> {
  const { suspended: paused, approvals, lease, log } = parts;
  const due = await paused.listDue(turnsAtOnce);
  if (due.length > 0) await approvals.expire('No decision was made in time.');
  for (const runId of new Set([...(settled === undefined ? [] : [settled.runId]), ...due])) {
    if (!hasRoom()) return;
    try {
      const run = await paused.resume(runId, lease);
      if (run !== undefined) yield await turnOf(run, parts, runId === settled?.runId ? settled.secrets : {});
    } catch (err) {
      // A run that was resumed becomes an orphan when its lease expires.
      log.error({ err, runId }, 'suspended run not resumed');
    }
  }
}

/** Rebuilds the turn from the stored message, answer and suspension. */
async function turnOf({ state, ...run }: ResumedRun, parts: TurnDeps, secrets: RequestSecrets): Promise<Turn> {
  const { conversations, runs, models, lease } = parts;
  const { runId, ownerDid, sessionId, requestId } = run;
  const { tools, agActions, responseSchema, timezone, metadata } = state;
  const [session, question, answer] = await Promise.all([
    conversations.findSession(ownerDid, sessionId),
    conversations.findMessage(ownerDid, sessionId, questionIdOf(requestId)),
    conversations.findMessage(ownerDid, sessionId, requestId),
  ]);
  const model = models.find(state.modelId) ?? models.find(undefined);
  if (question === undefined || model === undefined)
    throw new Error('the question or the model of the turn no longer exists');
  const hasLog = await runs.takeOver(run, lease.writerId).catch(() => false);
  const textEnds = hasLog ? textEndsOf(await readFrames(runs, run)) : undefined;
  const { content: message, attachments } = question;
  const request = {
    ...{ ownerDid, sessionId, requestId, message, model, isFollowed: false },
    ...{ attachments, tools, agActions, responseSchema, timezone, metadata, ...secrets },
  };
  const turn = new Turn(request, runId, { state, answer, textEnds });
  turn.roomId = session?.roomId;
  turn.branch = question.branch ?? undefined;
  turn.hasLog = hasLog;
  return turn;
}

/** Suspends the run until its user decides, then publishes the approval requests. */
export async function suspend(
  turn: Turn,
  { suspended: paused, calls, lease }: TurnDeps,
  events: TurnEvents,
  outcome: TurnOutcome,
  { messages, steps }: LoopSuspension,
  untold: MeteredTurn | undefined,
): Promise<TurnOutcome> {
  const { run, request, resumed, draft, traceparent } = turn;
  const { model, tools, agActions, responseSchema, timezone, metadata } = request;
  const told = { ...(tools && { tools }), ...(agActions && { agActions }), ...(timezone && { timezone }) };
  const pauses = (resumed?.state.pauses ?? 0) + 1;
  const state = {
    modelId: model.id,
    saidChars: draft.content.length,
    messages,
    steps,
    pauses,
    ...told,
    ...(metadata && { metadata }),
    ...(responseSchema && { responseSchema }),
    ...(traceparent && { traceparent }),
  };
  try {
    if (!(await paused.suspend(run, lease.writerId, state, untold))) return { ...outcome, status: 'interrupted' };
    for (const { id, name, args, plugin, approval, expiresAt } of await calls.ofRun(run)) {
      if (approval?.state !== 'waiting' || expiresAt === undefined) continue;
      const { title, reason } = approval;
      const { sessionId, requestId } = run;
      const at = draft.toolCalls.find((call) => call.id === id)?.at;
      const place = {
        sessionId,
        requestId,
        toolCallId: id,
        toolName: name,
        args: { ...args },
        ...(at !== undefined && { at }),
      };
      events.publish({
        event: 'approval_request',
        data: { ...place, title, reason, plugin, expiresAt: expiresAt.toISOString() },
      });
    }
    return outcome;
  } catch (cause) {
    return { ...outcome, status: 'failed', failure: { ...answerNotStored, cause } };
  }
}
