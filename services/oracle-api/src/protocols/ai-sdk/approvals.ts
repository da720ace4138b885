import { type SettleParts, settleApproval } from '../../agent/suspension.js';
import type { RunStart } from '../../runs/log/store.js';
import { noPendingCall } from './errors.js';

/** A message that may contain decisions. */
interface DecidingMessage {
  readonly role: string;
  readonly parts: readonly {
    readonly state?: string | undefined;
    readonly approval?:
      | { readonly id: string; readonly approved?: boolean | undefined; readonly reason?: string | undefined }
      | undefined;
  }[];
}

/** Approval id for the SDK; call ids are unique per run only. */
export function approvalIdOf(runId: string, toolCallId: string): string {
  return `${runId}/${toolCallId}`;
}

/** Whether a message contains decisions on pending calls. */
export function hasResponses({ role, parts }: DecidingMessage): boolean {
  return role === 'assistant' && parts.some(({ state }) => state === 'approval-responded');
}

/**
 * Applies the decisions of a message and returns the resumed run; earlier decisions stay.
 * @throws ServiceError if the session has no such call
 */
export async function settleResponses(
  parts: SettleParts,
  ownerDid: string,
  sessionId: string,
  message: DecidingMessage,
): Promise<RunStart> {
  let run: RunStart | undefined;
  for (const { state, approval } of message.parts) {
    if (state !== 'approval-responded' || approval === undefined) continue;
    const [, runId = '', toolCallId = ''] = /^([^/]+)\/(.+)$/.exec(approval.id) ?? [];
    const found = await parts.runRepository.find(ownerDid, runId);
    if (found?.sessionId !== sessionId) throw noPendingCall();
    const decision = approval.approved === true ? ('allow' as const) : ('deny' as const);
    const reason = approval.reason === undefined ? {} : { reason: approval.reason };
    const settled = await settleApproval(parts, ownerDid, runId, toolCallId, { decision, ...reason });
    if (settled.kind === 'unknown') throw noPendingCall();
    run = { runId, ownerDid, sessionId, requestId: found.requestId };
  }
  if (run === undefined) throw noPendingCall();
  return run;
}
