import { type ReactElement, type ReactNode, useId } from 'react';
import type { CallStatus } from '../../api/chat/message.js';
import { useWords } from '../../words/words.js';
import { outcomeOf } from './read-tool-call.js';

export interface CardProps {
  readonly title: ReactNode;
  /** Short text next to the title. */
  readonly badge?: ReactNode;
  /** The call to show: the card shows its status and error. */
  readonly status?: CallStatus | undefined;
  /** Why the call failed. */
  readonly error?: string | undefined;
  /** The outcome of the call is unknown. */
  readonly isUncertain?: boolean | undefined;
  /** Shown with their names. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  /** Further content. */
  readonly children?: ReactNode;
  /** Links and buttons, in a row at the end. */
  readonly actions?: ReactNode;
  readonly className?: string;
}

/** A card for `uiComponents`: title, status, values and actions. */
export function Card(props: CardProps): ReactElement {
  const { title, badge, status, error, isUncertain, values = {}, children, actions, className = '' } = props;
  const words = useWords().calls;
  const outcome = outcomeOf(status, error, isUncertain);
  const id = useId();
  return (
    <section
      className={`mlango-card ${className}`.trim()}
      aria-labelledby={id}
      aria-busy={outcome === 'running' || undefined}
    >
      <header>
        <h3 id={id} dir="auto">
          {title}
        </h3>
        {badge === undefined ? null : <span className="mlango-badge">{badge}</span>}
        {outcome === 'done' ? null : <span className={`mlango-badge mlango-${outcome}`}>{words[outcome]}</span>}
      </header>
      {error === undefined ? null : <p className="mlango-call-error">{error}</p>}
      {Object.keys(values).length === 0 ? null : <Values values={values} />}
      {children}
      {actions === undefined ? null : <footer>{actions}</footer>}
    </section>
  );
}

/** Arguments or results: short values in rows, others as JSON. */
export function Values({ values }: { readonly values: Readonly<Record<string, unknown>> }): ReactElement {
  return (
    <dl className="mlango-values">
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{isPlain(value) ? String(value) : <pre>{JSON.stringify(value, null, 2)}</pre>}</dd>
        </div>
      ))}
    </dl>
  );
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
