import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useEarlyEffect } from '../../hooks/use-latest.js';
import { useWords } from '../../words/words.js';
import { IconButton } from '../parts/icon.js';
import type { ListedSession } from './use-session-list.js';

interface SessionItemProps {
  readonly session: ListedSession;
  readonly isArchived: boolean;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

/** One conversation of the list. */
export function SessionItem({ session, isArchived, onOpen, onRemove }: SessionItemProps): ReactElement {
  const words = useWords().sessions;
  const [isRenaming, setIsRenaming] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const isBack = useRef(false);
  // After a rename the focus returns to the button.
  useEffect(() => {
    if (isBack.current) item.current?.querySelector<HTMLElement>('.mlango-session-acts button')?.focus();
    isBack.current = false;
  });
  const { title, isCurrent, rename, archive } = session;

  function end(wanted: string | undefined, isByKey: boolean): void {
    isBack.current = isByKey;
    setIsRenaming(false);
    if (wanted !== undefined) rename(wanted);
  }

  return (
    <li className="mlango-session" ref={item}>
      {isRenaming ? (
        <Renaming title={title} onEnd={end} />
      ) : (
        <>
          <button
            type="button"
            className="mlango-session-open"
            dir="auto"
            aria-current={isCurrent ? 'page' : undefined}
            onClick={onOpen}
          >
            {title}
          </button>
          <span className="mlango-session-acts">
            <IconButton icon="edit" name={words.rename(title)} onPress={() => setIsRenaming(true)} />
            <IconButton
              icon={isArchived ? 'unarchive' : 'archive'}
              name={isArchived ? words.unarchive(title) : words.archive(title)}
              onPress={archive}
            />
            <IconButton icon="close" name={words.removing(title)} onPress={onRemove} />
          </span>
        </>
      )}
    </li>
  );
}

interface RenamingProps {
  readonly title: string;
  /** Called without a title when it is unchanged. */
  readonly onEnd: (wanted: string | undefined, isByKey: boolean) => void;
}

function Renaming({ title, onEnd }: RenamingProps): ReactElement {
  const words = useWords().sessions;
  const [text, setText] = useState(title);
  const isOver = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  // It replaces the button that was just pressed.
  useEarlyEffect(() => field.current?.focus(), []);
  // A removed element loses the focus.
  function end(wanted: string | undefined, isByKey: boolean): void {
    if (!isOver.current) onEnd(wanted, isByKey);
    isOver.current = true;
  }
  return (
    <input
      ref={field}
      aria-label={words.titleOf}
      maxLength={200}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => end(text, false)}
      onKeyDown={(event) => {
        // Keeps a drawer open, and does not press the element that gets the focus.
        if (['Enter', 'Escape'].includes(event.key)) event.preventDefault();
        if (event.key === 'Enter') end(text, true);
        if (event.key === 'Escape') end(undefined, true);
      }}
    />
  );
}
