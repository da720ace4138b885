import { saidDay } from '../parts/said-day.js';
import { type Rule, toolsOf } from './rule.js';

interface RuleListProps {
  readonly heading: string;
  /** What stands where there are none. */
  readonly none: string;
  readonly rules: readonly Rule[];
  readonly isBusy: boolean;
  readonly onTakeBack: (rule: Rule) => void;
}

export function RuleList({ heading, none, rules, isBusy, onTakeBack }: RuleListProps) {
  return (
    <section className="stack" aria-label={heading}>
      <h2>{heading}</h2>
      {rules.length === 0 ? (
        <p className="empty">{none}</p>
      ) : (
        <ul className="rows">
          {rules.map((rule) => (
            <li key={rule.id}>
              <div>
                <strong className="break">{toolsOf(rule)}</strong>
                <p className="quiet small">Since {saidDay(rule.createdAt)}</p>
              </div>
              <button
                type="button"
                className="tight"
                aria-label={`Take back: ${toolsOf(rule)}`}
                disabled={isBusy}
                onClick={() => onTakeBack(rule)}
              >
                Take back
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
