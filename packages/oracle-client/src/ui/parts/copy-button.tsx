import { type ReactElement, useEffect, useState } from 'react';
import { useWords } from '../../words/words.js';
import { IconButton } from './icon.js';

interface CopyButtonProps {
  readonly text: string;
  /** Whether it says its name in words, in the place of a sign. */
  readonly isWorded?: boolean;
}

/** Puts a text on the clipboard. */
export function CopyButton({ text, isWorded = false }: CopyButtonProps): ReactElement {
  const words = useWords().message;
  const { isCopied, copy } = useCopy(text);
  const name = isCopied ? words.copied : words.copy;
  return isWorded ? (
    <button type="button" className="mlango-copy" onClick={copy}>
      <span aria-live="polite">{name}</span>
    </button>
  ) : (
    <IconButton icon={isCopied ? 'check' : 'copy'} name={name} onPress={copy} />
  );
}

/** How long it says that it was done. */
const saidMs = 2_000;

/** Puts a text on the clipboard, and says so for a while. Does nothing where the page is not secure, which has no clipboard. */
export function useCopy(text: string): { readonly isCopied: boolean; readonly copy: () => void } {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), saidMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    void navigator.clipboard?.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  return { isCopied, copy };
}
