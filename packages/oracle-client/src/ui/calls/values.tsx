import type { ReactElement } from 'react';

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
