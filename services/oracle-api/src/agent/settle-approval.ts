import { approvalResultPayload } from '@mlango/schemas/oracle-approvals';
import type { RunStatus } from '@mlango/schemas/oracle-events';
import type { RunRepository } from '../runs/run-repository.js';
import type { Approvals, Decision, Settled } from './loop/approvals.js';
import type { RequestSecrets } from './turn-request.js';
import type { Turns } from './turns.js';

export interface SettleParts {
  readonly approvals: Pick<Approvals, 'settle'>;
  readonly register: Pick<RunRepository, 'find'>;
  readonly turns: Pick<Turns, 'resume'>;
}

export type SettledApproval =
  | Exclude<Settled, { readonly kind: 'settled' }>
  | { readonly kind: 'settled' /** Of the run, after it. */; readonly status: RunStatus };

/** Takes what an owner says to a call, and goes on with its turn, and with what came along, where nothing of it waits any more. */
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
  // Where this process cannot, one that looks for turns that need not wait will.
  await turns.resume({ runId, secrets }).catch(() => undefined);
  const run = await register.find(ownerDid, runId).catch(() => undefined);
  return { kind: 'settled', status: run?.status ?? 'waiting' };
}

/** What a socket that decides is known by. */
export interface DecidingMember {
  readonly did: string;
  readonly actor?: string | undefined;
  readonly right: { readonly isOwnSignature?: boolean | undefined };
}

/**
 * The same as a socket says it; undefined for what is no decision. Who acts for the owner decides nothing in their place, and `always` takes the
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
