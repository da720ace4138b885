import { type ReactElement, type ReactNode, useRef } from 'react';
import { Icon } from '../icon.js';
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
      <button
        type="button"
        className="mlango-icon-button mlango-open-sessions"
        aria-label={words.openSessions}
        onClick={() => drawer.current?.showModal()}
      >
        <Icon name="menu" />
      </button>
      <dialog ref={drawer} className="mlango-drawer" aria-label={words.sessions}>
        <button
          type="button"
          className="mlango-icon-button"
          aria-label={words.close}
          onClick={() => drawer.current?.close()}
        >
          <Icon name="close" />
        </button>
        <Sessions
          {...props}
          onSelect={(sessionId) => {
            drawer.current?.close();
            props.onSelect(sessionId);
          }}
        />
      </dialog>
      {children}
    </>
  );
}
