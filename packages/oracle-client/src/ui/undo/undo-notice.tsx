import { type ReactElement, useRef } from 'react';
import { useEarlyEffect } from '../../provider/use-latest.js';
import type { IDeletions } from '../../undo/use-deletions.js';
import { useWords } from '../words/words.js';

interface UndoNoticeProps {
  readonly deletions: IDeletions;
  readonly said: string;
  /** Its time is over while the focus is in it. */
  readonly onLeft: () => void;
}

/** Says that something was deleted, and takes it back. Who comes to it has the whole time anew. */
export function UndoNotice({ deletions, said, onLeft }: UndoNoticeProps): ReactElement {
  const { undo: word } = useWords().sessions;
  const { undo, linger } = deletions;
  const button = useRef<HTMLButtonElement>(null);
  useEarlyEffect(() => {
    const shown = button.current;
    return () => {
      if (shown !== null && shown === document.activeElement) onLeft();
    };
  }, []);
  return (
    <p className="mlango-notice mlango-undo" onFocus={linger} onMouseEnter={linger}>
      {said}
      <button type="button" className="mlango-button" ref={button} onClick={undo}>
        {word}
      </button>
    </p>
  );
}
