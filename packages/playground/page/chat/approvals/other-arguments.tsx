import { useId, useState } from 'react';

interface OtherArgumentsProps {
  readonly args: Readonly<Record<string, unknown>>;
  readonly isBusy: boolean;
  /** With the words for the oracle. */
  readonly onAsk: (words: string) => void;
}

/**
 * Arguments as the user wants them. The call that waits has those that it has: it is denied, and the oracle is told to ask again with
 * these.
 */
export function OtherArguments({ args, isBusy, onAsk }: OtherArgumentsProps) {
  const [text, setText] = useState(() => JSON.stringify(args, null, 2));
  const id = useId();
  const wanted = asObject(text);
  const words = `Call it again with these arguments: ${JSON.stringify(wanted)}`;
  const isTooLong = words.length > 1_000;
  const problem = wanted === undefined ? 'This is not a JSON object.' : isTooLong ? 'This is too long.' : '';
  return (
    <div className="stack">
      <label className="small" htmlFor={id}>
        Arguments as you want them
      </label>
      <textarea
        id={id}
        rows={4}
        value={text}
        aria-invalid={problem !== ''}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="small" role="status">
        {problem}
      </p>
      <div className="row">
        <button type="button" disabled={isBusy || problem !== ''} onClick={() => onAsk(words)}>
          Deny, and ask for these
        </button>
      </div>
    </div>
  );
}

function asObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
