import { recordOf, recordsOf } from '../requests/record-of.js';

/** A call of a tool that is made once its user has allowed it. */
export interface IApproval {
  readonly runId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly plugin: string;
  /** In full, as the tool will get them. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly reason: string;
  /** ISO 8601: until then it waits; after that it counts as denied. */
  readonly expiresAt: string;
}

/** What a user says to one: this once, not this once, or for all calls of the tool from now on. */
export interface ApprovalDecision {
  readonly decision: 'allow' | 'deny' | 'always';
  /** With `allow`: what the call is made with in the place of what was shown. */
  readonly changed?: Readonly<Record<string, unknown>>;
  /** Told to the agent. */
  readonly reason?: string;
  /** As with a message, whose own were not kept. */
  readonly mcpInvocations?: Readonly<Record<string, string>>;
}

/** Of a list of approvals those of one session; what is none is left out. */
export function readApprovals(reply: unknown, sessionId: string): IApproval[] {
  return recordsOf(recordOf(reply)['approvals']).flatMap((each) => {
    const { runId, toolCallId, toolName, plugin, args, title, reason, expiresAt } = each;
    const texts = { runId, toolCallId, toolName, plugin, title, reason, expiresAt };
    const isApproval =
      each['sessionId'] === sessionId && Object.values(texts).every((text) => typeof text === 'string');
    return isApproval ? [{ ...(texts as Omit<IApproval, 'args'>), args: recordOf(args) }] : [];
  });
}
