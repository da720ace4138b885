import { type ReactElement, useEffect, useState } from 'react';
import { useWords } from '../../words/words.js';
import { IconButton } from './icon.js';

interface CopyButtonProps {
  readonly text: string;
  /** Shows the label as text instead of an icon. */
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

/** How long the confirmation is shown. */
const shownMs = 2_000;

/** Copies a text and confirms it for a while. Does nothing in insecure contexts, which have no clipboard. */
export function useCopy(text: string): { readonly isCopied: boolean; readonly copy: () => void } {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    void navigator.clipboard?.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  return { isCopied, copy };
}
