import { type ReactElement, type ReactNode, useId } from 'react';
import type { CallStatus } from '../../api/chat/message.js';
import { useWords } from '../../words/words.js';
import { outcomeOf } from './read-tool-call.js';

export interface CardProps {
  readonly title: ReactNode;
  /** A word or two beside the title. */
  readonly badge?: ReactNode;
  /** Of the call that it shows: while it runs, and where it failed, the card says so. */
  readonly status?: CallStatus | undefined;
  /** Why the call failed. */
  readonly error?: string | undefined;
  /** Laid out with their names. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  /** What else there is to see. */
  readonly children?: ReactNode;
  /** Links and buttons, in a row at the end. */
  readonly actions?: ReactNode;
  readonly className?: string;
}

/** A picture of what the oracle did or shows, for `uiComponents`: a frame with a title, how it went, values, and what can be done next. */
export function Card(props: CardProps): ReactElement {
  const { title, badge, status, error, values = {}, children, actions, className = '' } = props;
  const words = useWords().calls;
  const outcome = outcomeOf(status, error);
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

/** Arguments or results, laid out: short values beside their names, all others as JSON. */
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
