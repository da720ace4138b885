import { Composer } from './composer.js';
import { suggestions } from './suggestions.js';

interface ThresholdProps {
  readonly onBegin: (message: string) => void;
  readonly isBusy: boolean;
}

/** Where a talk begins: a few things to say, or one's own. */
export function Threshold({ onBegin, isBusy }: ThresholdProps) {
  return (
    <section className="card stack threshold-card" aria-labelledby="begin-heading">
      <h2 id="begin-heading">Say something</h2>
      <ul className="suggestions">
        {suggestions.map(({ says, shows }) => (
          <li key={says}>
            <button type="button" className="suggestion" disabled={isBusy} onClick={() => onBegin(says)}>
              <span>{says}</span>
              <span className="small quiet">{shows}</span>
            </button>
          </li>
        ))}
      </ul>
      <Composer onSend={onBegin} isBusy={isBusy} />
    </section>
  );
}
