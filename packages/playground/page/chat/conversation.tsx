import { useChat } from '@mlango/oracle-client';
import { useState } from 'react';
import { useSettings } from '../shell/settings.js';
import { ApprovalRequest } from './approvals/approval-request.js';
import { Composer } from './composer.js';
import { ConnectionStrip } from './connection-strip.js';
import { LineSwitch } from './line-switch.js';
import { MessageView } from './message-view.js';
import { oracleAddress } from './oracle-address.js';
import { PaymentNotice } from './payment-notice.js';
import { pageTools } from './tools/page-tools.js';
import { PinnedNotes } from './tools/pinned-notes.js';
import { uiComponents } from './tools/ui-components.js';
import { useFirstMessage } from './use-first-message.js';

interface ConversationProps {
  readonly sessionId: string;
  /** Said as soon as the session is there. */
  readonly firstMessage: string | undefined;
  readonly onFirstSent: () => void;
}

export function Conversation({ sessionId, firstMessage, onFirstSent }: ConversationProps) {
  const { oracleDid } = useSettings();
  const [claims, setClaims] = useState<readonly string[]>();
  const chat = useChat({
    oracleDid,
    sessionId,
    onPaymentRequiredError: setClaims,
    browserTools: pageTools,
    uiComponents,
    overrides: oracleAddress,
  });
  const { messages, sendMessage, abortStream, isSending, isLoading, error } = chat;

  function send(message: string): void {
    setClaims(undefined);
    sendMessage(message);
  }

  useFirstMessage(chat, firstMessage, onFirstSent);

  return (
    <section className="card conversation" aria-label="Conversation">
      <ConnectionStrip chat={chat} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with the focus on it, the arrow keys scroll. */}
      <div className="transcript" role="log" aria-label="Messages" aria-busy={isSending} tabIndex={0}>
        <div className="messages">
          {chat.hasEarlier ? (
            <button type="button" className="tight" onClick={() => void chat.loadEarlier().catch(() => undefined)}>
              Earlier messages
            </button>
          ) : null}
          {isLoading && messages.length === 0 ? <p className="quiet">Reading the session…</p> : null}
          {messages.map((message) => (
            <MessageView key={message.id} message={message} />
          ))}
          {chat.status === 'submitted' ? <p className="quiet small">Sent. Waiting for the first word…</p> : null}
        </div>
      </div>
      {claims === undefined ? null : <PaymentNotice claims={claims} />}
      {error === undefined || claims !== undefined ? null : (
        <p className="notice bad" role="alert">
          {error.message}
        </p>
      )}
      {chat.approvals.map((approval) => (
        <ApprovalRequest key={approval.toolCallId} approval={approval} onSettle={chat.settleApproval} />
      ))}
      <PinnedNotes />
      <Composer onSend={send} takesFocus={firstMessage !== undefined}>
        <LineSwitch />
        <button type="button" disabled={!isSending} onClick={() => void abortStream().catch(() => undefined)}>
          Stop
        </button>
      </Composer>
    </section>
  );
}
