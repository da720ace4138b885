import { type ReactElement, type ReactNode, useRef } from 'react';
import { IconButton } from '../icon-button.js';
import { useWords } from '../words/words.js';
import { Sessions, type SessionsProps } from './sessions.js';

/** A chat with the list of conversations beside it; where that is too narrow, behind a button. */
export function SessionsFrame({ children, ...props }: SessionsProps & { readonly children: ReactNode }): ReactElement {
  const words = useWords().frame;
  const drawer = useRef<HTMLDialogElement>(null);
  return (
    <>
      <div className="mlango-aside">
        <Sessions {...props} />
      </div>
      <IconButton
        icon="menu"
        name={words.openSessions}
        className="mlango-open-sessions"
        onPress={() => drawer.current?.showModal()}
      />
      <dialog ref={drawer} className="mlango-drawer" aria-label={words.sessions}>
        <IconButton icon="close" name={words.close} onPress={() => drawer.current?.close()} />
        <Sessions {...props} onChosen={() => drawer.current?.close()} />
      </dialog>
      {children}
    </>
  );
}
