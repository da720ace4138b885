import type { ReactElement } from 'react';
import { isRecord, recordOf } from '../../api/requests/values.js';
import { useWords } from '../../words/words.js';
import { Values } from './card.js';
import { readToolCall, type ToolCallProps } from './read-tool-call.js';

/** The default view of a call: its name and its status, with details to unfold. */
export function ToolCall(call: ToolCallProps): ReactElement {
  const words = useWords().calls;
  const { name, outcome, args, result, error } = readToolCall(call);
  return (
    <details className="mlango-call" data-testid="tool-call">
      <summary>
        <code>{name}</code>
        <span className={`mlango-badge mlango-${outcome}`}>{words[outcome]}</span>
      </summary>
      {Object.keys(args).length === 0 ? null : (
        <section aria-label={words.args}>
          <h3>{words.args}</h3>
          <Values values={args} />
        </section>
      )}
      {error === undefined ? null : <p className="mlango-call-error">{error}</p>}
      {result === undefined ? null : (
        <section aria-label={words.result}>
          <h3>{words.result}</h3>
          {isRecord(result) ? <Values values={result} /> : <pre dir="auto">{asText(result)}</pre>}
        </section>
      )}
    </details>
  );
}

/** The fallbacks for calls and errors. */
export const standIns = { ToolCall, AgActionToolCall: ToolCall, Error: CallError };

function CallError({ args, error }: ToolCallProps): ReactElement {
  const words = useWords().calls;
  const text = error ?? recordOf(args)['message'];
  return (
    <p className="mlango-call-error" role="alert">
      {typeof text === 'string' ? text : words.failed}
    </p>
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
