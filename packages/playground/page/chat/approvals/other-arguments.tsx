import { useId, useState } from 'react';

type Args = Readonly<Record<string, unknown>>;

interface OtherArgumentsProps {
  readonly args: Args;
  readonly isBusy: boolean;
  readonly onAllow: (changed: Args) => void;
}

/** Arguments as the user wants them, in the place of those that wait. */
export function OtherArguments({ args, isBusy, onAllow }: OtherArgumentsProps) {
  const [text, setText] = useState(() => JSON.stringify(args, null, 2));
  const id = useId();
  const wanted = asObject(text);
  return (
    <div className="stack">
      <label className="small" htmlFor={id}>
        Arguments as you want them
      </label>
      <textarea
        id={id}
        rows={4}
        value={text}
        aria-invalid={wanted === undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="small" role="status">
        {wanted === undefined ? 'This is not a JSON object.' : ''}
      </p>
      <div className="row">
        <button
          type="button"
          disabled={isBusy || wanted === undefined}
          onClick={() => (wanted === undefined ? undefined : onAllow(wanted))}
        >
          Allow with these
        </button>
      </div>
    </div>
  );
}

function asObject(text: string): Args | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Args) : undefined;
  } catch {
    return undefined;
  }
}
