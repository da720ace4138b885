import type { ReactElement } from 'react';
import { IconButton } from './icon-button.js';
import { useCopy } from './use-copy.js';
import { useWords } from './words/words.js';

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
