import type { OracleConnection } from '../requests/oracle-connection.js';
import { isNotFound } from '../requests/request-error.js';
import { withRetries } from '../requests/retry.js';
import { type ApprovalDecision, type IApproval, readApprovals } from './approval.js';

const attempts = 3;

/** What waits for the user in one session, as the oracle has it. Oracles may know of no approvals. */
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

  /** Reads them again. Never rejects: what cannot be read is read with the next news. */
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

  /** Says what the user wants, of the arguments that they were shown. Rejects when nothing of that id waits any more, or the oracle cannot be told. */
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
