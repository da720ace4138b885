import { Fragment, type ReactElement } from 'react';
import type { IMessage, IMessageComponent } from '../../api/chat/message.js';
import type { UiComponents } from '../../api/chat-options.js';
import { useOraclesRuntime } from '../../hooks/oracles-context.js';
import { componentFor, MessageComponent } from '../../hooks/ui-components.js';
import type { IFeedback } from '../../hooks/use-feedback.js';
import { useWords } from '../../words/words.js';
import { FeedbackButtons } from '../feedback.js';
import { Markdown } from '../markdown/markdown.js';
import { CopyButton } from '../parts/copy-button.js';
import { IconButton } from '../parts/icon.js';
import { BranchSwitcher } from './branch-switcher.js';
import { type MessageActs, textOfMessage } from './message-props.js';

interface AnswerProps {
  readonly message: IMessage;
  readonly acts: MessageActs;
  readonly feedback: IFeedback | undefined;
}

/** An answer, in the full width of the column. */
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
      {/* Rendered but hidden while the answer streams, so that the layout does not move at its end. */}
      <fieldset className="mlango-acts" aria-label={words.actions} hidden={!isComplete}>
        <BranchSwitcher message={message} onSelect={selectBranch} />
        <CopyButton text={textOfMessage(message)} />
        {regenerate === undefined ? null : (
          <IconButton icon="reload" name={words.regenerate} onPress={() => regenerate(id)} />
        )}
        {giveFeedback === undefined || !isComplete ? null : (
          <FeedbackButtons messageId={id} current={feedback} onGive={giveFeedback} />
        )}
      </fieldset>
    </>
  );
}

/** Text and components of an answer, in the order received. */
function AnswerContent({ message }: { readonly message: IMessage }): ReactElement {
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
            <Markdown text={part} isStreaming={!isComplete && at === parts.length - 1} />
          ) : (
            <MessageComponent part={part} />
          )}
        </Fragment>
      ))}
    </>
  );
}

type Part = string | IMessageComponent;

/** The text of a message, without the calls that the page shows as cards. Pure. */
function cardsForCalls(content: readonly Part[], componentsOf: (sessionId: string) => UiComponents): Part[] {
  const isCard = (part: Part): part is IMessageComponent =>
    typeof part !== 'string' &&
    part.kind === 'render_component' &&
    componentFor(part, componentsOf(part.sessionId)) !== undefined;
  const carded = new Set(content.filter(isCard).map(({ id }) => id));
  return content.filter((part) => typeof part === 'string' || part.kind !== 'tool_call' || !carded.has(part.id));
}
