import { type IMessage, renderMessageContent } from '@mlango/oracle-client';
import { memo, useState } from 'react';
import { cardsForCalls } from './components/cards-for-calls.js';

/** A longer text is folded, so that it does not push what else was said out of sight. */
const FOLDED_CHARS = 2_000;

export const MessageView = memo(function MessageView({ message }: { readonly message: IMessage }) {
  const { type, content, reasoning, isReasoning, isComplete, isUnsent, isQueued, isInterrupted } = message;
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isFolded = !isUnfolded && isComplete && charsOf(content) > FOLDED_CHARS;
  const isEmpty = content === '' || content.length === 0;
  return (
    <article className={`message ${type}`} aria-label={type === 'human' ? 'You' : 'Oracle'}>
      {reasoning ? (
        <details className="reasoning" open={isReasoning === true}>
          <summary>{isReasoning === true ? 'Thinking…' : 'What it thought'}</summary>
          <p>{reasoning}</p>
        </details>
      ) : null}
      <div className={`message-content ${isFolded ? 'folded' : ''}`} data-testid={`${type}-text`}>
        {renderMessageContent(cardsForCalls(content))}
        {isEmpty && !isComplete ? <span className="quiet">…</span> : null}
      </div>
      {isFolded ? (
        <button type="button" className="tight" onClick={() => setIsUnfolded(true)}>
          Show all
        </button>
      ) : null}
      {isQueued === true ? <span className="badge">Waits for the answer before it</span> : null}
      {isInterrupted === true ? <span className="badge">Interrupted</span> : null}
      {isUnsent === true ? <span className="badge bad">Not sent</span> : null}
    </article>
  );
});

function charsOf(content: IMessage['content']): number {
  if (typeof content === 'string') return content.length;
  return content.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}
