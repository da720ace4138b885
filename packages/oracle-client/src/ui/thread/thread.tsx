import { type ReactElement, type ReactNode, useMemo } from 'react';
import type { IChat } from '../../chat/use-chat.js';
import { Icon } from '../icon.js';
import { Message } from '../message/message.js';
import { useWords } from '../words/words.js';
import { AnswerAnnouncement } from './answer-announcement.js';
import { useNewestInSight } from './use-newest-in-sight.js';

export interface ThreadProps {
  readonly chat: IChat;
  /** What is shown where nothing was said yet. */
  readonly welcome?: ReactNode;
  /** The message that is being said in other words. */
  readonly editing?: string | undefined;
  readonly onEditing?: (messageId: string | undefined) => void;
}

/** The messages of a chat, the newest in sight. */
export function Thread({ chat, welcome, editing, onEditing }: ThreadProps): ReactElement {
  const words = useWords().thread;
  const { messages, isLoading, isSending, hasEarlier, loadEarlier, status } = chat;
  const { edit, regenerate, selectBranch, resend, openAttachment } = chat;
  const acts = useMemo(
    () => ({ edit, regenerate, selectBranch, resend, openAttachment }),
    [edit, regenerate, selectBranch, resend, openAttachment],
  );
  const sent = chat.isAnsweringElsewhere ? undefined : messages.findLast(({ type }) => type === 'human')?.id;
  const { box, content, isAway, toNewest, onScroll } = useNewestInSight(sent, messages.length > 0);
  return (
    <div className="mlango-thread">
      <div
        className="mlango-scroll"
        ref={box}
        onScroll={onScroll}
        role="log"
        aria-label={words.messages}
        aria-busy={isSending}
        // Answers are announced once, when they are whole.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: with the focus on it, the arrow keys scroll.
        tabIndex={0}
      >
        <div className="mlango-messages" ref={content}>
          {hasEarlier ? (
            <button type="button" className="mlango-button" onClick={() => void loadEarlier().catch(() => undefined)}>
              {words.earlier}
            </button>
          ) : null}
          {isLoading && messages.length === 0 ? <p className="mlango-muted">{words.loading}</p> : null}
          {!isLoading && messages.length === 0 ? welcome : null}
          {messages.map((message) => (
            <Message
              key={message.id}
              message={message}
              acts={acts}
              isEditing={message.id === editing}
              {...(onEditing === undefined ? {} : { onEditing })}
            />
          ))}
          {status === 'submitted' ? <p className="mlango-muted">{words.submitted}</p> : null}
        </div>
      </div>
      <AnswerAnnouncement chat={chat} shown={content} />
      {isAway ? (
        <button type="button" className="mlango-button mlango-to-latest" onClick={toNewest}>
          <Icon name="down" />
          {words.toLatest}
        </button>
      ) : null}
    </div>
  );
}
