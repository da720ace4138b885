import { ServiceError } from '@mlango/service-kit/errors';
import { type SettleParts, settleApproval } from '../../agent/settle-approval.js';
import type { RunStart } from '../../runs/log/store.js';
import type { ChatMessage } from './request.js';

/** By which the SDK knows that a call waits: ids of calls are those of their run alone. */
export function approvalIdOf(runId: string, toolCallId: string): string {
  return `${runId}/${toolCallId}`;
}

/** Whether it says what the user wants of calls that wait. */
export function hasResponses({ role, parts }: ChatMessage): boolean {
  return role === 'assistant' && parts.some(({ state }) => state === 'approval-responded');
}

/**
 * Takes what the user says to the calls of an answer that wait. Gives the run that goes on with them; what was decided before, here or
 * elsewhere, stays. @throws ServiceError where there is no such call in this session
 */
export async function settleResponses(
  parts: SettleParts,
  ownerDid: string,
  sessionId: string,
  message: ChatMessage,
): Promise<RunStart> {
  let run: RunStart | undefined;
  for (const { state, approval } of message.parts) {
    if (state !== 'approval-responded' || approval === undefined) continue;
    const [, runId = '', toolCallId = ''] = /^([^/]+)\/(.+)$/.exec(approval.id) ?? [];
    const found = await parts.register.find(ownerDid, runId);
    if (found?.sessionId !== sessionId) throw noSuchCall();
    const decision = approval.approved === true ? ('allow' as const) : ('deny' as const);
    const reason = approval.reason === undefined ? {} : { reason: approval.reason };
    const settled = await settleApproval(parts, ownerDid, runId, toolCallId, { decision, ...reason });
    if (settled.kind === 'unknown') throw noSuchCall();
    run = { runId, ownerDid, sessionId, requestId: found.requestId };
  }
  if (run === undefined) throw noSuchCall();
  return run;
}

function noSuchCall(): ServiceError {
  return new ServiceError('not_found', 'Nothing of that answer waits in this session');
}
