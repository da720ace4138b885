import { approvalResultPayload } from '@mlango/schemas/oracle-approvals';
import type { RunStatus } from '@mlango/schemas/oracle-events';
import { textEndsOf } from '../runs/log/frames.js';
import { readFrames } from '../runs/log/store.js';
import type { MeteredTurn } from '../runs/payment.js';
import type { RunRepository } from '../runs/run-repository.js';
import type { TurnDeps } from './deps.js';
import type { Approvals, Decision, Settled } from './loop/sql-approvals.js';
import type { ResumedRun } from './loop/suspended-runs.js';
import type { LoopSuspension } from './loop/tool-loop.js';
import { answerNotStored, Turn, type TurnOutcome } from './turn.js';
import type { TurnEvents } from './turn-events.js';
import { questionIdOf, type RequestSecrets } from './turn-request.js';

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
  const isOpen = await runs.takeOver(run, lease.writerId).catch(() => false);
  const textEnds = isOpen ? textEndsOf(await readFrames(runs, run)) : undefined;
  // A log without the whole answer lost its last frames, so its numbers are those of frames that readers have.
  const hasLog = textEnds !== undefined && (textEnds.at(-1) ?? 0) === (answer?.content.length ?? 0);
  if (isOpen && !hasLog) await runs.forget([run]);
  const { content: message, attachments } = question;
  const request = {
    ownerDid,
    sessionId,
    requestId,
    message,
    model,
    isFollowed: false,
    attachments,
    tools,
    agActions,
    responseSchema,
    timezone,
    metadata,
    ...secrets,
  };
  const turn = new Turn(request, runId, { state, answer, textEnds: hasLog ? textEnds : undefined });
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
  unreported: MeteredTurn | undefined,
): Promise<TurnOutcome> {
  const { run, request, resumed, draft, traceparent } = turn;
  const { model, tools, agActions, responseSchema, timezone, metadata } = request;
  const clientFields = { ...(tools && { tools }), ...(agActions && { agActions }), ...(timezone && { timezone }) };
  const pauses = (resumed?.state.pauses ?? 0) + 1;
  const state = {
    modelId: model.id,
    saidChars: draft.content.length,
    messages,
    steps,
    pauses,
    ...clientFields,
    ...(metadata && { metadata }),
    ...(responseSchema && { responseSchema }),
    ...(traceparent && { traceparent }),
  };
  try {
    if (!(await paused.suspend(run, lease.writerId, state, unreported))) return { ...outcome, status: 'interrupted' };
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

export interface SettleParts {
  readonly approvals: Pick<Approvals, 'settle'>;
  readonly runRepository: Pick<RunRepository, 'find'>;
  readonly turns: { resume(settled: SettledTurn): Promise<void> };
}

export type SettledApproval =
  | Exclude<Settled, { readonly kind: 'settled' }>
  | { readonly kind: 'settled' /** Status of the run after the decision. */; readonly status: RunStatus };

/** Stores an owner's decision and, when no call of its turn is pending any more, resumes the turn with the secrets of the request. */
export async function settleApproval(
  { approvals, runRepository, turns }: SettleParts,
  ownerDid: string,
  runId: string,
  callId: string,
  decision: Decision,
  secrets: RequestSecrets = {},
): Promise<SettledApproval> {
  const settled = await approvals.settle(ownerDid, runId, callId, decision);
  if (settled.kind !== 'settled') return settled;
  // If this process cannot resume it, the next resume round of any process will.
  await turns.resume({ runId, secrets }).catch(() => undefined);
  const run = await runRepository.find(ownerDid, runId).catch(() => undefined);
  return { kind: 'settled', status: run?.status ?? 'waiting' };
}

/** Identity of a socket that decides. */
export interface DecidingMember {
  readonly did: string;
  readonly actor?: string | undefined;
  readonly right: { readonly isOwnSignature?: boolean | undefined };
}

/**
 * A decision over a socket; undefined for an invalid message. A member that acts for the owner cannot decide, and `always` requires the
 * owner's own signature.
 */
export async function settleSocketApproval(
  parts: SettleParts,
  by: DecidingMember,
  data: unknown,
): Promise<object | undefined> {
  const shown = approvalResultPayload.safeParse(data);
  if (!shown.success) return undefined;
  const { runId, toolCallId, mcpInvocations, homeServer: _ofHttp, ...decision } = shown.data;
  const place = { runId, toolCallId };
  const mayDecide = by.actor === undefined && (decision.decision !== 'always' || by.right.isOwnSignature === true);
  if (!mayDecide) return { ...place, ok: false, status: 'forbidden' };
  const settled = await settleApproval(parts, by.did, runId, toolCallId, decision, { mcpInvocations });
  if (settled.kind === 'settled') return { ...place, ok: true, status: settled.status };
  return { ...place, ok: false, status: settled.kind === 'decided' ? settled.as : settled.kind };
}
