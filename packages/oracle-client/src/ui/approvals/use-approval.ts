import { useState } from 'react';
import type { ApprovalDecision, IApproval } from '../../api/approvals.js';
import { errorOf } from '../../api/requests/values.js';
import type { IChat } from '../../hooks/use-chat.js';

export interface ApprovalOptions {
  readonly approval: IApproval;
  /** Rejects when the call was settled before, or the oracle is unreachable. */
  readonly onSettle: IChat['settleApproval'];
}

/** State of a pending approval, without markup. */
export interface ApprovalParts {
  readonly allow: () => void;
  /** Allows the call with other arguments. */
  readonly allowWith: (changed: IApproval['args']) => void;
  readonly deny: () => void;
  /** Allows all calls of the tool from now on. */
  readonly always: () => void;
  /** The user's reason; passed to the agent. */
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  readonly isBusy: boolean;
  /** The last problem; empty if there is none. */
  readonly problem: string;
}

export function useApproval({ approval, onSettle }: ApprovalOptions): ApprovalParts {
  const [reason, setReason] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const why = reason.trim();

  async function settle(decision: ApprovalDecision): Promise<void> {
    setIsBusy(true);
    setProblem('');
    try {
      await onSettle(approval.toolCallId, { ...decision, ...(why === '' ? {} : { reason: why }) });
    } catch (error) {
      setProblem(errorOf(error).message);
    } finally {
      setIsBusy(false);
    }
  }

  return {
    allow: () => void settle({ decision: 'allow' }),
    allowWith: (changed) => void settle({ decision: 'allow', changed }),
    deny: () => void settle({ decision: 'deny' }),
    always: () => void settle({ decision: 'always' }),
    reason,
    setReason,
    isBusy,
    problem,
  };
}
