import { type ReactElement, useState } from 'react';
import { type IChatSession, untitled } from '../../sessions/session.js';
import { IconButton } from '../icon-button.js';
import { useWords } from '../words/words.js';

interface SessionItemProps {
  readonly session: IChatSession;
  readonly isCurrent: boolean;
  readonly onSelect: () => void;
  readonly onRename: (title: string) => void;
  readonly onDelete: () => void;
  readonly isArchived: boolean;
  /** Puts it away, or takes it back. */
  readonly onArchive: () => void;
}

/** One conversation of the list. */
export function SessionItem(props: SessionItemProps): ReactElement {
  const { session, isCurrent, onSelect, onRename, onDelete, isArchived, onArchive } = props;
  const words = useWords().sessions;
  const [isRenaming, setIsRenaming] = useState(false);
  const title = session.title === untitled ? words.untitled : (session.title ?? words.untitled);
  if (isRenaming) return <Renaming title={title} onEnd={rename} />;

  function rename(wanted: string | undefined): void {
    setIsRenaming(false);
    if (wanted !== undefined && wanted !== title) onRename(wanted);
  }

  return (
    <li className="mlango-session">
      <button
        type="button"
        className="mlango-session-open"
        dir="auto"
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onSelect}
      >
        {title}
      </button>
      <IconButton icon="edit" name={words.rename(title)} onPress={() => setIsRenaming(true)} />
      <IconButton
        icon={isArchived ? 'unarchive' : 'archive'}
        name={isArchived ? words.unarchive(title) : words.archive(title)}
        onPress={onArchive}
      />
      <IconButton icon="close" name={words.removing(title)} onPress={onDelete} />
    </li>
  );
}

function Renaming({ title, onEnd }: { readonly title: string; readonly onEnd: (wanted: string | undefined) => void }) {
  const words = useWords().sessions;
  const [text, setText] = useState(title);
  const wanted = text.trim();
  const done = () => onEnd(wanted === '' ? undefined : wanted);
  return (
    <li className="mlango-session">
      <input
        // biome-ignore lint/a11y/noAutofocus: it stands where what was just pressed was.
        autoFocus
        aria-label={words.titleOf}
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={done}
        onKeyDown={({ key }) => {
          if (key === 'Enter') done();
          if (key === 'Escape') onEnd(undefined);
        }}
      />
    </li>
  );
}
