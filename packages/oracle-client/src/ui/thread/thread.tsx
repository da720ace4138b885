import { type ReactElement, type ReactNode, useEffect, useMemo } from 'react';
import type { IChat } from '../../chat/use-chat.js';
import type { IAnswerFeedback } from '../../feedback/use-feedback.js';
import { Icon } from '../icon.js';
import { loadOpenEnds } from '../markdown/open-end.js';
import { Message } from '../message/message.js';
import { useWords } from '../words/words.js';
import { AnswerAnnouncement } from './answer-announcement.js';
import { type SoughtMessage, useFoundMessage } from './use-found-message.js';
import { useNewestInSight } from './use-newest-in-sight.js';

export interface ThreadProps {
  readonly chat: IChat;
  /** What the user says of the answers, where that can be said. */
  readonly feedback?: IAnswerFeedback | undefined;
  /** A message that was searched for, to be brought into sight. */
  readonly sought?: SoughtMessage | undefined;
  /** What is shown where nothing was said yet. */
  readonly welcome?: ReactNode;
  /** The message that is being said in other words. */
  readonly editing?: string | undefined;
  readonly onEditing?: (messageId: string | undefined) => void;
}

/** The messages of a chat, the newest in sight. */
export function Thread({ chat, feedback, sought, welcome, editing, onEditing }: ThreadProps): ReactElement {
  const words = useWords().thread;
  const { messages, isLoading, isSending, hasEarlier, loadEarlier, status } = chat;
  const { edit, regenerate, selectBranch, resend, openAttachment } = chat;
  const giveFeedback = feedback?.given && feedback.giveFeedback;
  const acts = useMemo(
    () => ({
      ...{ edit, regenerate, selectBranch, resend, openAttachment },
      ...(giveFeedback === undefined ? {} : { giveFeedback }),
    }),
    [edit, regenerate, selectBranch, resend, openAttachment, giveFeedback],
  );
  const sent = chat.isAnsweringElsewhere ? undefined : messages.findLast(({ type }) => type === 'human')?.id;
  const { box, content, isAway, toNewest, leave, onScroll } = useNewestInSight(sent, messages.length > 0);
  useFoundMessage(chat, sought, content, leave);
  // Before the first word of an answer comes.
  useEffect(() => {
    if (isSending) void loadOpenEnds();
  }, [isSending]);
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
              feedback={feedback?.given?.get(message.id)}
              isSought={message.id === sought?.messageId}
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
