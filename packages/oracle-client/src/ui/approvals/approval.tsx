import { type ReactElement, useId, useState } from 'react';
import { useWords } from '../../words/words.js';
import { Values } from '../tool-calls/card.js';
import { EditArguments } from './edit-arguments.js';
import { type ApprovalOptions, useApproval } from './use-approval.js';

export type ApprovalProps = ApprovalOptions;

/** A pending call: title, reason, all arguments, and the decisions. */
export function Approval(props: ApprovalProps): ReactElement {
  const { toolName, plugin, args, title, reason, expiresAt } = props.approval;
  const { language, approvals: words } = useWords();
  const state = useApproval(props);
  const { isBusy, problem } = state;
  const [isChanging, setIsChanging] = useState(false);
  const id = useId();
  return (
    <section className="mlango-approval" aria-labelledby={`${id}-title`}>
      {/* An alert, which screen readers announce at once: the answer waits for the decision. */}
      <h3 id={`${id}-title`} role="alert">
        {title}
      </h3>
      <p>
        {reason}{' '}
        <span className="mlango-muted">
          {words.of(toolName, plugin)} ·{' '}
          {words.until(new Date(expiresAt).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' }))}
        </span>
      </p>
      <Values values={args} />
      <label className="mlango-muted" htmlFor={`${id}-why`}>
        {words.reason}
      </label>
      <input
        id={`${id}-why`}
        maxLength={500}
        value={state.reason}
        onChange={({ target }) => state.setReason(target.value)}
      />
      <div className="mlango-row">
        <button type="button" className="mlango-button mlango-primary" disabled={isBusy} onClick={state.allow}>
          {words.allow}
        </button>
        <button type="button" className="mlango-button" disabled={isBusy} onClick={state.deny}>
          {words.deny}
        </button>
        <button type="button" className="mlango-button" disabled={isBusy} onClick={state.always}>
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
      {isChanging ? <EditArguments args={args} isBusy={isBusy} onAllow={state.allowWith} /> : null}
      {problem === '' ? null : (
        <p className="mlango-call-error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
