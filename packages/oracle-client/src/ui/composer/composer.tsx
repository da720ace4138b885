import type { KeyboardEvent, ReactElement, ReactNode, RefObject } from 'react';
import type { IChat } from '../../chat/use-chat.js';
import { Icon } from '../icon.js';
import { useWords } from '../words/words.js';
import { GrowingField } from './growing-field.js';
import { useDraft } from './use-draft.js';

export interface ComposerProps {
  readonly chat: Pick<IChat, 'sendMessage' | 'abortStream' | 'isSending'>;
  readonly fieldRef?: RefObject<HTMLTextAreaElement | null>;
  /** Under which name the browser keeps what is typed and not sent; without one it keeps nothing. */
  readonly draftKey?: string | undefined;
  /** Arrow up was pressed in the empty field: the last message is to be edited. */
  readonly onEditLast?: () => void;
  /** Stands beside the button that sends. */
  readonly children?: ReactNode;
}

/** A field for a message. Enter sends; Escape stops what answers. */
export function Composer({ chat, fieldRef, draftKey, onEditLast, children }: ComposerProps): ReactElement {
  const words = useWords().composer;
  const [text, setText] = useDraft(draftKey);
  const { sendMessage, abortStream, isSending } = chat;
  const message = text.trim();
  const stop = () => void abortStream().catch(() => undefined);

  function send(): void {
    if (message === '') return;
    setText('');
    sendMessage(message);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Escape' && isSending) stop();
    if (event.key === 'ArrowUp' && text === '' && onEditLast !== undefined) {
      event.preventDefault();
      onEditLast();
    }
  }

  return (
    <form
      className="mlango-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <GrowingField
        fieldRef={fieldRef}
        label={words.message}
        placeholder={words.placeholder}
        value={text}
        onChange={setText}
        onEnter={send}
        onKeyDown={onKeyDown}
      />
      <div className="mlango-row">
        {children}
        {isSending ? (
          <button type="button" className="mlango-send" aria-label={words.stop} title={words.stop} onClick={stop}>
            <Icon name="stop" />
          </button>
        ) : null}
        {isSending && message === '' ? null : (
          <button
            type="submit"
            className="mlango-send"
            aria-label={words.send}
            title={words.send}
            disabled={message === ''}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}
