import type { OracleConnection } from './requests/oracle-connection.js';
import { isNotFound } from './requests/request-error.js';
import { withRetries } from './requests/retry.js';
import { recordOf, recordsOf } from './requests/values.js';

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

/** A decision on a call: allow it once, deny it, or allow all calls of the tool. */
export interface ApprovalDecision {
  readonly decision: 'allow' | 'deny' | 'always';
  /** With `allow`: arguments to use instead of the proposed ones. */
  readonly changed?: Readonly<Record<string, unknown>>;
  /** Passed to the agent. */
  readonly reason?: string;
  /** The client tools of this tab, as with a message. */
  readonly mcpInvocations?: Readonly<Record<string, string>>;
}

/** The approvals of one session in a list; invalid entries are left out. */
function readApprovals(reply: unknown, sessionId: string): IApproval[] {
  return recordsOf(recordOf(reply)['approvals']).flatMap((each) => {
    const { runId, toolCallId, toolName, plugin, args, title, reason, expiresAt } = each;
    const texts = { runId, toolCallId, toolName, plugin, title, reason, expiresAt };
    const isApproval =
      each['sessionId'] === sessionId && Object.values(texts).every((text) => typeof text === 'string');
    return isApproval ? [{ ...(texts as Omit<IApproval, 'args'>), args: recordOf(args) }] : [];
  });
}

const attempts = 3;

/** The pending approvals of one session, as stored by the oracle. Some oracles have no approvals. */
export class WaitingApprovals {
  readonly #connection: OracleConnection;
  readonly #sessionId: string;
  readonly #onChange: () => void;
  #list: readonly IApproval[] = [];
  #hasApprovals: boolean;

  constructor(connection: OracleConnection, sessionId: string, onChange: () => void, mayDecide = true) {
    this.#connection = connection;
    this.#sessionId = sessionId;
    this.#onChange = onChange;
    this.#hasApprovals = mayDecide;
  }

  /** The newest first; another list after each change. */
  get list(): readonly IApproval[] {
    return this.#list;
  }

  /** Reads them again. Never rejects: after a failure they are read with the next notification. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (!this.#hasApprovals) return;
    try {
      const reply = await withRetries(() => this.#connection.json('/approvals', { signal }), { attempts, signal });
      const list = readApprovals(reply, this.#sessionId);
      if (JSON.stringify(list) === JSON.stringify(this.#list)) return;
      this.#list = list;
      this.#onChange();
    } catch (error) {
      if (isNotFound(error)) this.#hasApprovals = false;
    }
  }

  /** Sends a decision on the arguments shown. Rejects when no call of that id is pending, and when the oracle is unreachable. */
  async settle(toolCallId: string, decision: ApprovalDecision, signal: AbortSignal): Promise<void> {
    const shown = this.#list.find((approval) => approval.toolCallId === toolCallId);
    if (shown === undefined) throw new Error('Nothing of that id waits for you any more');
    const path = `/runs/${encodeURIComponent(shown.runId)}/approvals/${encodeURIComponent(toolCallId)}`;
    try {
      await this.#connection.json(path, { method: 'POST', body: { ...decision, args: shown.args } });
    } finally {
      await this.refresh(signal);
    }
  }
}
