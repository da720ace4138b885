import { lazy, Suspense, useState } from 'react';

const AnswerLine = lazy(() => import('./answer-line.js').then((module) => ({ default: module.AnswerLine })));

const QUESTION = 'What can you do?';

/** A question to the oracle, and its answer as it comes. It is asked when somebody wants to know: an answer may cost something. */
export function ChatGlimpse() {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <div className="small-chat">
      {isAsked ? (
        <p className="asked">{QUESTION}</p>
      ) : (
        <button type="button" className="asked" onClick={() => setIsAsked(true)}>
          {QUESTION}
        </button>
      )}
      <div className="answered" aria-live="polite" data-testid="glimpse-answer">
        {isAsked ? (
          <Suspense fallback={<Dots />}>
            <AnswerLine question={QUESTION} waiting={<Dots />} />
          </Suspense>
        ) : (
          <p className="quiet">Select the question to see the answer here.</p>
        )}
      </div>
    </div>
  );
}

function Dots() {
  return (
    <span className="dots">
      <i />
      <i />
      <i />
      <span className="unseen">Waiting for the answer</span>
    </span>
  );
}
