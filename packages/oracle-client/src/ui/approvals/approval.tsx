import { type ReactElement, useId, useState } from 'react';
import type { ApprovalDecision, IApproval } from '../../approvals/approval.js';
import type { IChat } from '../../chat/use-chat.js';
import { errorOf } from '../../requests/error-of.js';
import { Values } from '../calls/values.js';
import { useWords } from '../words/words.js';
import { OtherArguments } from './other-arguments.js';

export interface ApprovalProps {
  readonly approval: IApproval;
  /** Rejects when it was settled elsewhere before, or cannot be told. */
  readonly onSettle: IChat['settleApproval'];
}

/** A call that waits for its user: what is asked and why, with all of its arguments, and what may be said to it. */
export function Approval({ approval, onSettle }: ApprovalProps): ReactElement {
  const { toolCallId, toolName, plugin, args, title, reason, expiresAt } = approval;
  const { language, approvals: words } = useWords();
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
      setProblem(errorOf(error).message);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <section className="mlango-approval" aria-labelledby={`${id}-title`}>
      {/* Said at once, whatever is read out: an answer waits for it. */}
      <h3 id={`${id}-title`} role="alert">
        {title}
      </h3>
      <p>
        {reason}{' '}
        <span className="mlango-muted">
          {words.of(toolName, plugin)} · {words.until(new Date(expiresAt).toLocaleString(language))}
        </span>
      </p>
      <Values values={args} />
      <label className="mlango-muted" htmlFor={`${id}-why`}>
        {words.reason}
      </label>
      <input id={`${id}-why`} maxLength={500} value={why} onChange={({ target }) => setWhy(target.value)} />
      <div className="mlango-row">
        <button
          type="button"
          className="mlango-button mlango-primary"
          disabled={isBusy}
          onClick={() => void settle({ decision: 'allow' })}
        >
          {words.allow}
        </button>
        <button
          type="button"
          className="mlango-button"
          disabled={isBusy}
          onClick={() => void settle({ decision: 'deny' })}
        >
          {words.deny}
        </button>
        <button
          type="button"
          className="mlango-button"
          disabled={isBusy}
          onClick={() => void settle({ decision: 'always' })}
        >
          {words.always}
        </button>
        <button
          type="button"
          className="mlango-button"
          aria-expanded={isChanging}
          onClick={() => setIsChanging(!isChanging)}
        >
          {words.change}
        </button>
      </div>
      {isChanging ? (
        <OtherArguments
          args={args}
          isBusy={isBusy}
          onAllow={(changed) => void settle({ decision: 'allow', changed })}
        />
      ) : null}
      {problem === '' ? null : (
        <p className="mlango-call-error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
