import type { ReactElement } from 'react';
import type { IMessage } from '../../chat/message.js';
import type { IFeedback } from '../../feedback/use-feedback.js';
import { CopyButton } from '../copy-button.js';
import { FeedbackActs } from '../feedback/feedback-acts.js';
import { IconButton } from '../icon-button.js';
import { useWords } from '../words/words.js';
import { AnswerContent } from './answer-content.js';
import { BranchSwitcher } from './branch-switcher.js';
import type { MessageActs } from './message-props.js';
import { textOfMessage } from './text-of-message.js';

interface AnswerProps {
  readonly message: IMessage;
  readonly acts: MessageActs;
  readonly feedback: IFeedback | undefined;
}

/** What an oracle said: on the page itself, across its whole column. */
export function Answer({ message, acts, feedback }: AnswerProps): ReactElement {
  const words = useWords().message;
  const { id, reasoning, isReasoning = false, isComplete, ending } = message;
  const { regenerate, selectBranch, giveFeedback } = acts;
  return (
    <>
      {reasoning ? (
        <details className="mlango-reasoning" open={isReasoning}>
          <summary>{isReasoning ? words.thinking : words.thought}</summary>
          <p>{reasoning}</p>
        </details>
      ) : null}
      <div className="mlango-answer" data-testid="ai-text">
        <AnswerContent message={message} />
      </div>
      {ending === undefined ? null : (
        <p className={ending === 'failed' ? 'mlango-mark mlango-bad' : 'mlango-mark'}>{words.endings[ending]}</p>
      )}
      {/* Its place is kept while the answer comes: what follows does not move when it ends. */}
      <fieldset className="mlango-acts" aria-label={words.actions} hidden={!isComplete}>
        <BranchSwitcher message={message} onSelect={selectBranch} />
        <CopyButton text={textOfMessage(message)} />
        {regenerate === undefined ? null : (
          <IconButton icon="again" name={words.regenerate} onPress={() => regenerate(id)} />
        )}
        {giveFeedback === undefined || !isComplete ? null : (
          <FeedbackActs messageId={id} given={feedback} onGive={giveFeedback} />
        )}
      </fieldset>
    </>
  );
}
