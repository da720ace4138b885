import { ScrollBox } from '../../shell/scroll-box.js';

/** More than this is cut: a page of a browser should stay quick. */
const SHOWN_CHARS = 200_000;

export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isCut = text.length > SHOWN_CHARS;
  return (
    <div className="stack">
      <ScrollBox className="json" label={label}>
        <pre>{isCut ? text.slice(0, SHOWN_CHARS) : text}</pre>
      </ScrollBox>
      {isCut ? <p className="small quiet">Cut: the answer has {text.length} characters.</p> : null}
    </div>
  );
}
