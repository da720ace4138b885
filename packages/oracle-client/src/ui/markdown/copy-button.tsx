import { type ReactElement, useContext, useEffect, useState } from 'react';
import { MarkdownContext } from './markdown-context.js';

const saidForMs = 2_000;

/** Puts a text into the clipboard, and says so for a while. */
export function CopyButton({ text }: { readonly text: string }): ReactElement {
  const { words } = useContext(MarkdownContext);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), saidForMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  // A page that is not secure has no clipboard.
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  return (
    <button type="button" className="mlango-copy" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? words.copied : words.copy}</span>
    </button>
  );
}
