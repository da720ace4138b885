import { type ReactElement, useId, useState } from 'react';
import { isRecord } from '../../requests/record-of.js';
import { useWords } from '../words/words.js';

type Args = Readonly<Record<string, unknown>>;

interface OtherArgumentsProps {
  readonly args: Args;
  readonly isBusy: boolean;
  readonly onAllow: (changed: Args) => void;
}

/** Arguments as the user wants them, in the place of those that wait. */
export function OtherArguments({ args, isBusy, onAllow }: OtherArgumentsProps): ReactElement {
  const words = useWords().approvals;
  const [text, setText] = useState(() => JSON.stringify(args, null, 2));
  const id = useId();
  const wanted = asObject(text);
  return (
    <div className="mlango-approval-change">
      <label className="mlango-muted" htmlFor={id}>
        {words.otherArgs}
      </label>
      <textarea
        id={id}
        rows={4}
        value={text}
        aria-invalid={wanted === undefined}
        aria-describedby={`${id}-says`}
        onChange={({ target }) => setText(target.value)}
      />
      <p id={`${id}-says`} className="mlango-call-error" role="status">
        {wanted === undefined ? words.notAnObject : ''}
      </p>
      <button
        type="button"
        className="mlango-button"
        disabled={isBusy || wanted === undefined}
        onClick={() => (wanted === undefined ? undefined : onAllow(wanted))}
      >
        {words.allowChanged}
      </button>
    </div>
  );
}

function asObject(text: string): Args | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
