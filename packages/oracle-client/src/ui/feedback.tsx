import { type ReactElement, useRef, useState } from 'react';
import type { IAnswerFeedback, IFeedback } from '../hooks/use-feedback.js';
import { useWords } from '../words/words.js';
import { GrowingField, isPlainEnter } from './parts/growing-field.js';
import { IconButton } from './parts/icon.js';

interface FeedbackActsProps {
  readonly messageId: string;
  readonly current: IFeedback | undefined;
  readonly onGive: IAnswerFeedback['giveFeedback'];
}

/** Thumbs up and down; down opens a form for the reason. A second press removes the feedback. */
export function FeedbackButtons({ messageId, current, onGive }: FeedbackActsProps): ReactElement {
  const words = useWords().feedback;
  const [isFormOpen, setIsFormOpen] = useState(false);
  const [notice, setNotice] = useState('');
  const acts = useRef<HTMLSpanElement>(null);

  /** True if it was stored. */
  const give = (feedback: IFeedback | undefined, thanks: string): Promise<boolean> =>
    onGive(messageId, feedback).then(
      () => {
        setNotice(thanks);
        return true;
      },
      () => {
        setNotice(words.failed);
        return false;
      },
    );
  function press(rating: IFeedback['rating']): void {
    const isTakenBack = current?.rating === rating;
    setIsFormOpen(rating === 'down' && !isTakenBack);
    void give(isTakenBack ? undefined : { rating }, isTakenBack ? words.takenBack : words.thanks);
  }
  function close(): void {
    setIsFormOpen(false);
    acts.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  }

  return (
    <>
      <span className="mlango-thumbs" ref={acts}>
        {(['up', 'down'] as const).map((rating) => (
          <IconButton
            key={rating}
            icon={`thumb-${rating}`}
            name={words[rating]}
            isPressed={current?.rating === rating}
            onPress={() => press(rating)}
          />
        ))}
      </span>
      <span className="mlango-mark" role="status">
        {notice}
      </span>
      {isFormOpen && current?.rating === 'down' ? (
        <FeedbackForm
          onSend={async (why) => {
            if (await give({ rating: 'down', ...why }, words.thanks)) close();
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

interface FeedbackFormProps {
  readonly onSend: (why: Omit<IFeedback, 'rating'>) => Promise<void>;
  readonly onClose: () => void;
}

/** The longest comment that oracles take. */
const maxChars = 1_000;

/** A form for the problem of an answer: reasons to choose from, and a comment. Escape closes it. */
function FeedbackForm({ onSend, onClose }: FeedbackFormProps): ReactElement {
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
