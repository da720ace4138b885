import { Fragment, type ReactElement } from 'react';
import type { IMessage } from '../../chat/message.js';
import { MessageComponent } from '../../chat/message-component.js';
import { useOraclesRuntime } from '../../provider/oracles-context.js';
import { AnswerText } from '../markdown/answer-text.js';
import { cardsForCalls } from './cards-for-calls.js';

/** Text and components of an answer, in the order in which they came. */
export function AnswerContent({ message }: { readonly message: IMessage }): ReactElement {
  const { components } = useOraclesRuntime();
  const { content, isComplete } = message;
  if (content.length === 0 && !isComplete) return <span className="mlango-waiting" />;
  const parts = typeof content === 'string' ? [content] : cardsForCalls(content, (id) => components.find(id) ?? {});
  return (
    <>
      {parts.map((part, at) => (
        // Parts are only ever added behind the last one, so a text is known by its place.
        <Fragment key={typeof part === 'string' ? `text ${at}` : `${part.kind} ${part.id}`}>
          {typeof part === 'string' ? (
            <AnswerText text={part} isStreaming={!isComplete && at === parts.length - 1} />
          ) : (
            <MessageComponent part={part} />
          )}
        </Fragment>
      ))}
    </>
  );
}
