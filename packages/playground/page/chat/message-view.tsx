import { type IMessage, renderMessageContent } from '@mlango/oracle-client';
import { memo } from 'react';

export const MessageView = memo(function MessageView({ message }: { readonly message: IMessage }) {
  const { type, content, reasoning, isReasoning, isComplete, isUnsent } = message;
  const isEmpty = content === '' || content.length === 0;
  return (
    <article className={`message ${type}`} aria-label={type === 'human' ? 'You' : 'Oracle'}>
      {reasoning ? (
        <details className="reasoning" open={isReasoning === true}>
          <summary>{isReasoning === true ? 'Thinking…' : 'What it thought'}</summary>
          <p>{reasoning}</p>
        </details>
      ) : null}
      <div className="message-content" data-testid={`${type}-text`}>
        {renderMessageContent(content)}
        {isEmpty && !isComplete ? <span className="quiet">…</span> : null}
      </div>
      {isUnsent === true ? <span className="badge bad">Not sent</span> : null}
    </article>
  );
});
