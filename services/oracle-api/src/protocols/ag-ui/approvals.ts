import type { RunEvent } from '@mlango/schemas/oracle-events';
import { type SettleParts, settleApproval } from '../../agent/suspension.js';
import type { RunStart } from '../../runs/log/store.js';
import { noPendingCall } from './errors.js';

export type ApprovalRequest = Extract<RunEvent, { event: 'approval_request' }>['data'];

/**
 * A pending call as an interrupt.
 * @param frameId the last frame before the suspension
 */
export function interruptOf(
  runId: string,
  frameId: number,
  { toolCallId, toolName, args, title, reason, plugin, expiresAt }: ApprovalRequest,
) {
  return {
    id: `${runId}/${frameId}/${toolCallId}`,
    reason: 'approval',
    message: `${title}: ${reason}`,
    expiresAt,
    metadata: { toolCallId, toolName, args, title, reason, plugin },
    responseSchema: {
      type: 'object',
      properties: { decision: { enum: ['allow', 'deny'] } },
      required: ['decision'],
    },
  };
}

/** Applies the decisions of a request and returns the resumed run. @throws ServiceError if no call is pending */
export async function settleInterrupts(
  deps: SettleParts,
  ownerDid: string,
  sessionId: string,
  resume: readonly { readonly interruptId: string; readonly status: string; readonly payload?: unknown }[],
): Promise<{ run: RunStart; after: number }> {
  let found: { run: RunStart; after: number } | undefined;
  for (const { interruptId, status, payload } of resume) {
    const [, runId = '', frameId, callId = ''] = /^([^/]+)\/(\d{1,15})\/(.+)$/.exec(interruptId) ?? [];
    const run = await deps.runRepository.find(ownerDid, runId);
    if (run?.sessionId !== sessionId) throw noPendingCall();
    const decision = status === 'resolved' && isAllowed(payload) ? 'allow' : 'deny';
    const settled = await settleApproval(deps, ownerDid, runId, callId, { decision });
    if (settled.kind === 'unknown') throw noPendingCall();
    found = { run, after: Number(frameId) };
  }
  if (found === undefined) throw noPendingCall();
  return found;
}

function isAllowed(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'decision' in payload && payload.decision === 'allow';
}
