import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { isNotFound } from '../api/requests/request-error.js';
import type { IChat } from '../hooks/use-chat.js';
import { useWords } from '../words/words.js';
import { Approval } from './approvals/approval.js';
import { Composer } from './composer/composer.js';
import { errorText } from './parts/error-text.js';
import { StatusLine, type Suggestion, Thread, type ThreadProps, Welcome } from './thread/thread.js';

export interface ChatViewProps extends Pick<ThreadProps, 'feedback' | 'sought'> {
  readonly chat: IChat;
  /** Claims to pay before the oracle answers. */
  readonly claims?: readonly string[];
  /** Suggestions for an empty conversation. */
  readonly suggestions?: readonly Suggestion[] | undefined;
  /** As `<Composer>` has it. */
  readonly draftKey?: string | undefined;
  /** As `<Composer>` has it. */
  readonly hasAttachments?: boolean | undefined;
  /** Shown below the payment notice, such as a payment form. */
  readonly payment?: ReactNode;
  /** Begins another conversation: offered where this one is not there. */
  readonly onBegin?: (() => void) | undefined;
  /** Shown next to the send button. */
  readonly controls?: ReactNode;
  /** Shown above the field. */
  readonly children?: ReactNode;
}

/** One chat: its messages, and always in sight the field for the next one. */
export function ChatView(props: ChatViewProps): ReactElement {
  const { chat, feedback, sought, claims = [], suggestions = [] } = props;
  const { draftKey, hasAttachments, payment, onBegin, controls, children } = props;
  const {
    frame: words,
    errors,
    language,
    sessions: { begin },
  } = useWords();
  const [editing, setEditing] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const { messages, sendMessage, error } = chat;

  function choose(text: string): void {
    sendMessage(text);
    field.current?.focus();
  }

  function edit(messageId: string | undefined): void {
    setEditing(messageId);
    if (messageId === undefined) field.current?.focus();
  }

  return (
    <section className="mlango-chat" aria-label={words.conversation}>
      <Thread
        chat={chat}
        feedback={feedback}
        sought={sought}
        welcome={<Welcome suggestions={suggestions} onChoose={choose} />}
        editing={editing}
        onEditing={edit}
      />
      <div className="mlango-foot">
        {claims.length > 0 ? <PaymentNotice claims={claims}>{payment}</PaymentNotice> : null}
        {error === undefined || claims.length > 0 ? null : (
          <div className="mlango-notice mlango-bad" role="alert">
            <p>{errorText(error, { language, errors })}</p>
            {onBegin === undefined || !isNotFound(error) ? null : (
              <button type="button" onClick={onBegin}>
                {begin}
              </button>
            )}
          </div>
        )}
        {chat.approvals.map((approval) => (
          <Approval key={approval.toolCallId} approval={approval} onSettle={chat.settleApproval} />
        ))}
        {children}
        <Composer
          chat={chat}
          fieldRef={field}
          draftKey={draftKey}
          hasAttachments={hasAttachments}
          onEditLast={() => setEditing(messages.findLast(({ type }) => type === 'human')?.id)}
        >
          {controls}
        </Composer>
        <StatusLine chat={chat} />
      </div>
    </section>
  );
}

interface PaymentNoticeProps {
  readonly claims: readonly string[];
  /** A link or button for payment. */
  readonly children?: ReactNode;
}

/** Notice of the payment that the oracle requires. */
function PaymentNotice({ claims, children }: PaymentNoticeProps): ReactElement {
  const words = useWords().payment;
  return (
    <div className="mlango-notice" role="alert">
      <p>
        <strong>{words.title}</strong>
      </p>
      <p>{words.body}</p>
      <ul>
        {claims.map((claim) => (
          <li key={claim}>
            <code>{claim}</code>
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}
