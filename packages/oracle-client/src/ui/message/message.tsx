import { memo, type ReactElement } from 'react';
import { useWords } from '../../words/words.js';
import { messagePropsOf } from '../thread/use-thread.js';
import { Answer } from './answer.js';
import type { MessageActs, MessageProps } from './message-props.js';
import { Question } from './question.js';

const noActs: MessageActs = {};

/** One message with its actions. Below an `OraclesProvider`: it shows the page's components. */
export const Message = memo(function Message({
  message,
  acts = noActs,
  feedback,
  isUnanswered = false,
  isSought = false,
  isEditing = false,
  onEditing,
}: MessageProps): ReactElement {
  const words = useWords().message;
  const isHuman = message.type === 'human';
  return (
    <article
      className={`mlango-message mlango-${message.type}`}
      aria-label={isHuman ? words.you : words.oracle}
      {...messagePropsOf(message.id, isSought)}
    >
      {isHuman ? (
        <Question
          message={message}
          acts={acts}
          isUnanswered={isUnanswered}
          isEditing={isEditing}
          onEditing={onEditing}
        />
      ) : (
        <Answer message={message} acts={acts} feedback={feedback} />
      )}
    </article>
  );
});
