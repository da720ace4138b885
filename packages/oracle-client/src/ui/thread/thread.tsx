import { type ReactElement, type ReactNode, useEffect, useMemo } from 'react';
import type { IChat } from '../../hooks/use-chat.js';
import type { IAnswerFeedback } from '../../hooks/use-feedback.js';
import { useWords } from '../../words/words.js';
import { loadMarkdown } from '../markdown/markdown.js';
import { Message } from '../message/message.js';
import { Icon } from '../parts/icon.js';
import { type ThreadOptions, unansweredIn, useThread } from './use-thread.js';

export interface ThreadProps extends ThreadOptions {
  /** The user's feedback on the answers, if the oracle supports it. */
  readonly feedback?: IAnswerFeedback | undefined;
  /** Shown in an empty conversation. */
  readonly welcome?: ReactNode;
  /** The message being edited. */
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
  const giveFeedback = feedback?.byMessage && feedback.giveFeedback;
  const acts = useMemo(
    () => ({
      edit,
      regenerate,
      selectBranch,
      resend,
      openAttachment,
      ...(giveFeedback === undefined ? {} : { giveFeedback }),
    }),
    [edit, regenerate, selectBranch, resend, openAttachment, giveFeedback],
  );
  // Shown next to the existing answers.
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
              feedback={feedback?.byMessage?.get(message.id)}
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

export interface Suggestion {
  readonly text: string;
  /** The visible part of it. */
  readonly shows?: string;
}

interface WelcomeProps {
  readonly suggestions: readonly Suggestion[];
  readonly onChoose: (text: string) => void;
}

/** The start of a conversation: suggestions. */
export function Welcome({ suggestions, onChoose }: WelcomeProps): ReactElement {
  const words = useWords().thread;
  return (
    <div className="mlango-welcome">
      <h2>{words.welcome}</h2>
      {suggestions.length === 0 ? null : (
        <ul className="mlango-suggestions" aria-label={words.suggestions}>
          {suggestions.map(({ text, shows }) => (
            <li key={text}>
              <button type="button" className="mlango-suggestion" onClick={() => onChoose(text)}>
                <span>{text}</span>
                {shows === undefined ? null : <span className="mlango-muted">{shows}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type StatusLineProps = {
  readonly chat: Pick<IChat, 'status' | 'isRealTimeConnected' | 'isAnsweringOtherTab' | 'messages'>;
};

/** Status of a chat: socket, run, and whether another tab is active. */
export function StatusLine({ chat }: StatusLineProps): ReactElement {
  const words = useWords().status;
  const { status, isRealTimeConnected, isAnsweringOtherTab, messages } = chat;
  // A conversation that was not begun has no connection to report.
  const isShown = isRealTimeConnected || messages.length > 0;
  return (
    <p className="mlango-status">
      <span
        hidden={!isShown}
        className={isRealTimeConnected ? 'mlango-lamp mlango-on' : 'mlango-lamp'}
        aria-hidden="true"
      />
      <span data-testid="socket">{isShown ? (isRealTimeConnected ? words.connected : words.disconnected) : ''}</span>
      <span data-testid="status">{words[status]}</span>
      <span data-testid="elsewhere">{isAnsweringOtherTab ? words.elsewhere : ''}</span>
    </p>
  );
}
