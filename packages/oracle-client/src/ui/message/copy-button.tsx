import { type ReactElement, useEffect, useState } from 'react';
import { Icon } from '../icon.js';
import { useWords } from '../words/words.js';

/** How long it says that it was done. */
const saidMs = 2_000;

/** Puts a text on the clipboard, and says so. Nothing where the browser has no clipboard to write to. */
export function CopyButton({ text }: { readonly text: string }): ReactElement {
  const words = useWords().message;
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), saidMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const name = isCopied ? words.copied : words.copy;
  return (
    <button
      type="button"
      className="mlango-icon-button"
      aria-label={name}
      title={name}
      onClick={() => {
        void navigator.clipboard?.writeText(text).then(
          () => setIsCopied(true),
          () => undefined,
        );
      }}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  );
}
