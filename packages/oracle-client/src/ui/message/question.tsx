import { type ReactElement, useState } from 'react';
import { useWords } from '../../words/words.js';
import { CopyButton } from '../parts/copy-button.js';
import { IconButton } from '../parts/icon.js';
import { BranchSwitcher } from './branch-switcher.js';
import { EditForm } from './edit-form.js';
import { Files } from './files.js';
import { type MessageProps, textOfMessage } from './message-props.js';

/** A longer message of a person is folded, so that it does not push the answer out of sight. */
const foldedChars = 1_500;

type QuestionProps = Required<Pick<MessageProps, 'message' | 'acts' | 'isUnanswered' | 'isEditing'>> & {
  readonly onEditing: MessageProps['onEditing'];
};

/** A message of the user, in a bubble. */
export function Question({ message, acts, isUnanswered, isEditing, onEditing }: QuestionProps): ReactElement {
  const words = useWords().message;
  const [isUnfolded, setIsUnfolded] = useState(false);
  const { id, attachments = [], isQueued, isUnsent } = message;
  const { edit, resend } = acts;
  const text = textOfMessage(message);
  const isLong = text.length > foldedChars;

  if (isEditing) {
    const close = () => onEditing?.(undefined);
    const update = (changed: string) => {
      close();
      edit?.(id, changed, attachments.length === 0 ? {} : { attachments });
    };
    return <EditForm text={text} onUpdate={update} onCancel={close} />;
  }
  return (
    <>
      {attachments.length === 0 ? null : <Files attachments={attachments} open={acts.openAttachment} />}
      <div className={isLong && !isUnfolded ? 'mlango-bubble mlango-folded' : 'mlango-bubble'} data-testid="human-text">
        {text}
      </div>
      {isLong ? (
        <button type="button" className="mlango-button mlango-quiet" onClick={() => setIsUnfolded(!isUnfolded)}>
          {isUnfolded ? words.showLess : words.showAll}
        </button>
      ) : null}
      {isQueued === true ? <p className="mlango-mark">{words.queued}</p> : null}
      {isUnanswered ? <p className="mlango-mark">{words.unanswered}</p> : null}
      {isUnsent === true ? (
        <p className="mlango-mark mlango-bad" role="alert">
          {words.unsent}
        </p>
      ) : null}
      <fieldset className="mlango-acts" aria-label={words.actions}>
        {isUnsent === true && resend !== undefined ? (
          <button type="button" className="mlango-button" onClick={() => resend(id)}>
            {words.retry}
          </button>
        ) : null}
        <BranchSwitcher message={message} onSelect={acts.selectBranch} />
        <CopyButton text={text} />
        {edit === undefined || onEditing === undefined || isQueued === true ? null : (
          <IconButton icon="edit" name={words.edit} onPress={() => onEditing(id)} />
        )}
      </fieldset>
    </>
  );
}
