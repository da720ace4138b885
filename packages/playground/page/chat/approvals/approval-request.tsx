import type { ApprovalDecision, IApproval } from '@mlango/oracle-client';
import { useId, useState } from 'react';
import { ScrollBox } from '../../shell/scroll-box.js';
import { OtherArguments } from './other-arguments.js';

interface ApprovalRequestProps {
  readonly approval: IApproval;
  /** Rejects when it was settled elsewhere before, or cannot be told. */
  readonly onSettle: (toolCallId: string, decision: ApprovalDecision) => Promise<void>;
}

/** A call that waits: what is asked and why, with all of its arguments, and what may be said to it. */
export function ApprovalRequest({ approval, onSettle }: ApprovalRequestProps) {
  const { toolCallId, toolName, plugin, args, title, reason, expiresAt } = approval;
  const [why, setWhy] = useState('');
  const [isChanging, setIsChanging] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const id = useId();

  async function settle(decision: ApprovalDecision): Promise<void> {
    setIsBusy(true);
    setProblem('');
    try {
      await onSettle(toolCallId, { ...decision, ...(why.trim() === '' ? {} : { reason: why.trim() }) });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'It could not be told to the oracle.');
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <section className="notice stack approval" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      <p>
        {reason}{' '}
        <span className="quiet small">
          <code>{toolName}</code> of {plugin}, until {new Date(expiresAt).toLocaleString()}
        </span>
      </p>
      <ScrollBox className="arguments" label="Arguments">
        <pre>{JSON.stringify(args, null, 2)}</pre>
      </ScrollBox>
      <label className="small" htmlFor={`${id}-why`}>
        Reason, told to the oracle (optional)
      </label>
      <input id={`${id}-why`} maxLength={500} value={why} onChange={({ target }) => setWhy(target.value)} />
      <div className="row">
        <button type="button" className="primary" disabled={isBusy} onClick={() => void settle({ decision: 'allow' })}>
          Allow
        </button>
        <button type="button" className="bad" disabled={isBusy} onClick={() => void settle({ decision: 'deny' })}>
          Deny
        </button>
        <button type="button" disabled={isBusy} onClick={() => void settle({ decision: 'always' })}>
          Always allow
        </button>
        <button type="button" aria-expanded={isChanging} onClick={() => setIsChanging(!isChanging)}>
          Change arguments
        </button>
      </div>
      {isChanging ? (
        <OtherArguments
          args={args}
          isBusy={isBusy}
          onAllow={(changed) => void settle({ decision: 'allow', changed })}
        />
      ) : null}
      {problem === '' ? null : <p role="alert">{problem}</p>}
    </section>
  );
}
