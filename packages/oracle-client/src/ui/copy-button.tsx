import { type ReactElement, useEffect, useState } from 'react';
import { IconButton } from './icon-button.js';
import { useWords } from './words/words.js';

interface CopyButtonProps {
  readonly text: string;
  /** Whether it says its name in words, in the place of a sign. */
  readonly isWorded?: boolean;
}

/** How long it says that it was done. */
const saidMs = 2_000;

/** Puts a text on the clipboard, and says so for a while. Does nothing where the page is not secure, which has no clipboard. */
export function CopyButton({ text, isWorded = false }: CopyButtonProps): ReactElement {
  const words = useWords().message;
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), saidMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const name = isCopied ? words.copied : words.copy;
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  return isWorded ? (
    <button type="button" className="mlango-copy" onClick={() => void copy()}>
      <span aria-live="polite">{name}</span>
    </button>
  ) : (
    <IconButton icon={isCopied ? 'check' : 'copy'} name={name} onPress={() => void copy()} />
  );
}
