import { type ReactElement, useId } from 'react';
import type { IApproval } from '../../api/approvals.js';
import { useWords } from '../../words/words.js';
import { GrowingField } from '../parts/growing-field.js';
import { type ArgumentField, useArguments } from './use-arguments.js';

interface OtherArgumentsProps {
  readonly args: IApproval['args'];
  readonly isBusy: boolean;
  readonly onAllow: (changed: IApproval['args']) => void;
}

/** A form for changed arguments of a pending call: a field each, or all of them as JSON. */
export function EditArguments({ args, isBusy, onAllow }: OtherArgumentsProps): ReactElement {
  const words = useWords().approvals;
  const { fields, json, isAsJson, showAsJson, changed } = useArguments(args);
  const id = useId();
  return (
    <fieldset className="mlango-approval-change" aria-label={words.otherArgs}>
      {isAsJson ? (
        <>
          <label className="mlango-muted" htmlFor={id}>
            {words.otherArgs}
          </label>
          <textarea
            id={id}
            className="mlango-code"
            rows={4}
            value={json.value}
            aria-invalid={json.isBad}
            aria-describedby={`${id}-problem`}
            onChange={({ target }) => json.change(target.value)}
          />
        </>
      ) : (
        fields.map((field) => <Argument key={field.name} field={field} messageId={`${id}-problem`} />)
      )}
      <p id={`${id}-problem`} className="mlango-call-error" role="status">
        {changed === undefined ? (isAsJson ? words.notAnObject : words.notReadable) : ''}
      </p>
      <div className="mlango-row">
        <button
          type="button"
          className="mlango-button mlango-primary"
          disabled={isBusy || changed === undefined}
          onClick={() => (changed === undefined ? undefined : onAllow(changed))}
        >
          {words.allowChanged}
        </button>
        <button
          type="button"
          className="mlango-button mlango-quiet"
          disabled={changed === undefined}
          onClick={() => showAsJson(!isAsJson)}
        >
          {isAsJson ? words.asFields : words.asJson}
        </button>
      </div>
    </fieldset>
  );
}

function Argument({ field, messageId }: { readonly field: ArgumentField; readonly messageId: string }): ReactElement {
  const { name, kind, value, change, isBad } = field;
  const id = useId();
  const shared = { 'aria-invalid': isBad, 'aria-describedby': isBad ? messageId : undefined };
  if (kind === 'yes-or-no') {
    return (
      <label className="mlango-check">
        <input type="checkbox" checked={value === 'true'} onChange={({ target }) => change(String(target.checked))} />
        {name}
      </label>
    );
  }
  return (
    <div className={kind === 'json' ? 'mlango-argument mlango-code' : 'mlango-argument'}>
      <label htmlFor={id}>{name}</label>
      {kind === 'number' ? (
        <input {...shared} id={id} inputMode="decimal" value={value} onChange={({ target }) => change(target.value)} />
      ) : (
        <GrowingField {...shared} id={id} value={value} onChange={({ target }) => change(target.value)} />
      )}
    </div>
  );
}
