import { type ReactElement, useRef, useState } from 'react';
import type { IAnswerFeedback, IFeedback } from '../../feedback/use-feedback.js';
import { IconButton } from '../icon-button.js';
import { useWords } from '../words/words.js';
import { FeedbackForm } from './feedback-form.js';

interface FeedbackActsProps {
  readonly messageId: string;
  readonly given: IFeedback | undefined;
  readonly onGive: IAnswerFeedback['giveFeedback'];
}

/** A thumb up, and one down that asks why. Pressed once more, it is taken back. */
export function FeedbackActs({ messageId, given, onGive }: FeedbackActsProps): ReactElement {
  const words = useWords().feedback;
  const [isAsking, setIsAsking] = useState(false);
  const [said, setSaid] = useState('');
  const acts = useRef<HTMLSpanElement>(null);

  /** True where it was kept. */
  const give = (feedback: IFeedback | undefined, thanks: string): Promise<boolean> =>
    onGive(messageId, feedback).then(
      () => {
        setSaid(thanks);
        return true;
      },
      () => {
        setSaid(words.failed);
        return false;
      },
    );
  function press(rating: IFeedback['rating']): void {
    const isTakenBack = given?.rating === rating;
    setIsAsking(rating === 'down' && !isTakenBack);
    void give(isTakenBack ? undefined : { rating }, isTakenBack ? words.takenBack : words.thanks);
  }
  function close(): void {
    setIsAsking(false);
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
            isPressed={given?.rating === rating}
            onPress={() => press(rating)}
          />
        ))}
      </span>
      <span className="mlango-mark" role="status">
        {said}
      </span>
      {isAsking && given?.rating === 'down' ? (
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
