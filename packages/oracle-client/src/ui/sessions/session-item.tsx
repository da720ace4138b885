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
  const [isConfirming, setIsConfirming] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const isBack = useRef(false);
  // After a rename or a cancelled deletion the focus returns to the buttons.
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

  function cancel(): void {
    isBack.current = true;
    setIsConfirming(false);
  }

  return (
    <li className="mlango-session" ref={item}>
      {isRenaming ? (
        <Renaming title={title} onEnd={end} />
      ) : isConfirming ? (
        <Confirmation title={title} onConfirm={onRemove} onCancel={cancel} />
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
            {isArchived ? (
              <IconButton icon="close" name={words.removing(title)} onPress={() => setIsConfirming(true)} />
            ) : null}
          </span>
        </>
      )}
    </li>
  );
}

interface ConfirmationProps {
  readonly title: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** A deletion cannot be undone: it is confirmed in place of the buttons of its conversation. */
function Confirmation({ title, onConfirm, onCancel }: ConfirmationProps): ReactElement {
  const { sessions: words, message } = useWords();
  const cancel = useRef<HTMLButtonElement>(null);
  // It replaces the button that was just pressed.
  useEarlyEffect(() => cancel.current?.focus(), []);
  return (
    <fieldset className="mlango-session-confirm" aria-label={words.removing(title)}>
      <button type="button" className="mlango-button" onClick={onConfirm}>
        {words.removeNow}
      </button>
      <button type="button" className="mlango-button" ref={cancel} onClick={onCancel}>
        {message.cancel}
      </button>
    </fieldset>
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
