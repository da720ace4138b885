import { type ReactElement, useState } from 'react';
import type { IFeedback } from '../../feedback/use-feedback.js';
import { GrowingField } from '../composer/growing-field.js';
import { isPlainEnter } from '../composer/is-plain-enter.js';
import { useWords } from '../words/words.js';

interface FeedbackFormProps {
  readonly onSend: (why: Omit<IFeedback, 'rating'>) => Promise<void>;
  readonly onClose: () => void;
}

/** The longest comment that oracles take. */
const maxChars = 1_000;

/** What was wrong with an answer: reasons to choose from, and a comment. Escape goes back. */
export function FeedbackForm({ onSend, onClose }: FeedbackFormProps): ReactElement {
  const words = useWords();
  const { reasons: named, why, comment: label, readBy } = words.feedback;
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const [comment, setComment] = useState('');
  const [isSending, setIsSending] = useState(false);
  const isEmpty = reasons.length === 0 && comment.trim() === '';

  async function send(): Promise<void> {
    if (isEmpty || isSending) return;
    setIsSending(true);
    await onSend({ reasons, comment: comment.trim() });
    setIsSending(false);
  }

  return (
    <form
      className="mlango-edit"
      aria-label={why}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <p>{why}</p>
      <div className="mlango-row mlango-reasons">
        {Object.entries(named).map(([reason, name]) => (
          <button
            key={reason}
            type="button"
            className="mlango-button"
            aria-pressed={reasons.includes(reason)}
            onClick={() =>
              setReasons((all) => (all.includes(reason) ? all.filter((each) => each !== reason) : [...all, reason]))
            }
          >
            {name}
          </button>
        ))}
      </div>
      <GrowingField
        aria-label={label}
        placeholder={label}
        maxLength={maxChars}
        value={comment}
        onChange={({ target }) => setComment(target.value)}
        onKeyDown={(event) => {
          if (!isPlainEnter(event)) return;
          event.preventDefault();
          void send();
        }}
      />
      <p className="mlango-mark">{readBy}</p>
      <div className="mlango-row">
        <button type="button" className="mlango-button" onClick={onClose}>
          {words.frame.close}
        </button>
        <button type="submit" className="mlango-button mlango-primary" disabled={isEmpty || isSending}>
          {words.composer.send}
        </button>
      </div>
    </form>
  );
}
