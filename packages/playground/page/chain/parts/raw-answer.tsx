import type { Asked } from '../asking/use-answer.js';
import { JsonView } from './json-view.js';

/** The answer behind a view, as it came. */
export function RawAnswer({ asked }: { readonly asked: Asked }) {
  const { answer } = asked;
  if (answer === undefined) return null;
  return (
    <details className="raw">
      <summary>
        Raw answer: <code>{answer.path}</code>
      </summary>
      <JsonView value={answer.body} label="Answer" />
    </details>
  );
}
