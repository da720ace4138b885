import { type ReactElement, type ReactNode, useEffect, useMemo } from 'react';
import type { IAnswerFeedback } from '../../feedback/use-feedback.js';
import { Icon } from '../icon.js';
import { loadMarkdown } from '../markdown/load-markdown.js';
import { Message } from '../message/message.js';
import { unansweredIn } from '../message/unanswered-in.js';
import { useWords } from '../words/words.js';
import { type ThreadOptions, useThread } from './use-thread.js';

export interface ThreadProps extends ThreadOptions {
  /** What the user says of the answers, where that can be said. */
  readonly feedback?: IAnswerFeedback | undefined;
  /** What is shown where nothing was said yet. */
  readonly welcome?: ReactNode;
  /** The message that is being said in other words. */
  readonly editing?: string | undefined;
  readonly onEditing?: (messageId: string | undefined) => void;
}

/** The messages of a chat, the newest in sight. */
export function Thread({ chat, feedback, sought, welcome, editing, onEditing }: ThreadProps): ReactElement {
  const words = useWords().thread;
  const { logProps, contentProps, isAway, toLatest, announcement } = useThread({ chat, sought });
  const { messages, isLoading, hasEarlier, loadEarlier, status, run } = chat;
  const unanswered = useMemo(() => unansweredIn({ messages, status, run }), [messages, status, run]);
  const { edit, regenerate, selectBranch, resend, openAttachment } = chat;
  const giveFeedback = feedback?.given && feedback.giveFeedback;
  const acts = useMemo(
    () => ({
      ...{ edit, regenerate, selectBranch, resend, openAttachment },
      ...(giveFeedback === undefined ? {} : { giveFeedback }),
    }),
    [edit, regenerate, selectBranch, resend, openAttachment, giveFeedback],
  );
  // Beside the answers that were given already.
  useEffect(() => {
    if (isLoading) void loadMarkdown();
  }, [isLoading]);
  return (
    <div className="mlango-thread">
      <div {...logProps} className="mlango-scroll">
        <div {...contentProps} className="mlango-messages">
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
              isUnanswered={unanswered.has(message.id)}
              isSought={message.id === sought?.messageId}
              isEditing={message.id === editing}
              {...(onEditing === undefined ? {} : { onEditing })}
            />
          ))}
          {status === 'submitted' ? <p className="mlango-muted">{words.submitted}</p> : null}
        </div>
      </div>
      <p className="mlango-unseen" role="status" data-testid="announcement">
        {announcement}
      </p>
      {isAway ? (
        <button type="button" className="mlango-button mlango-to-latest" onClick={toLatest}>
          <Icon name="down" />
          {words.toLatest}
        </button>
      ) : null}
    </div>
  );
}
