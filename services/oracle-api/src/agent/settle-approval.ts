import { approvalResultPayload } from '@mlango/schemas/oracle-approvals';
import type { RunStatus } from '@mlango/schemas/oracle-events';
import type { RunRepository } from '../runs/run-repository.js';
import type { Approvals, Decision, Settled } from './loop/sql-approvals.js';
import type { RequestSecrets } from './turn-request.js';
import type { Turns } from './turns.js';

export interface SettleParts {
  readonly approvals: Pick<Approvals, 'settle'>;
  readonly register: Pick<RunRepository, 'find'>;
  readonly turns: Pick<Turns, 'resume'>;
}

export type SettledApproval =
  | Exclude<Settled, { readonly kind: 'settled' }>
  | { readonly kind: 'settled' /** Status of the run after the decision. */; readonly status: RunStatus };

/** Stores an owner's decision and, when no call of its turn is pending any more, resumes the turn with the secrets of the request. */
export async function settleApproval(
  { approvals, register, turns }: SettleParts,
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
  const run = await register.find(ownerDid, runId).catch(() => undefined);
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
