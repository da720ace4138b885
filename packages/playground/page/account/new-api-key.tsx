import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CopyButton } from '../shell/parts.js';

/** An API key in the list, without its secret. Times are ISO 8601, UTC. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly createdAt: string;
  readonly expiresAt: string;
  /** To the hour. */
  readonly lastUsedAt?: string;
}

export interface MadeApiKey extends ApiKey {
  /** Shown once only. */
  readonly key: string;
}

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly expiresInDays: number;
}

/** Labels of the scopes. */
const scopeWords = {
  read: 'Read conversations, memories, preferences and credits',
  send: 'Start conversations, send messages, store memories',
  tools: 'Let tools run, and decide on approvals',
  doors: 'Use clients of OpenAI, MCP and other protocols',
} as const satisfies Record<ApiKeyScope, string>;

const scopes = Object.keys(scopeWords) as ApiKeyScope[];

interface ShownKeyProps {
  readonly made: MadeApiKey;
  readonly onDone: () => void;
}

/** A new key: the only time that it is visible. */
export function ShownKey({ made, onDone }: ShownKeyProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [made.id]);
  return (
    <section className="card stack made-key" aria-labelledby="made-key-heading">
      <h2 id="made-key-heading" ref={heading} tabIndex={-1}>
        Copy “{made.name}” now
      </h2>
      <p>The key is shown only once. Copy it now: the oracle keeps its hash alone.</p>
      <p className="did">
        <code className="break" data-testid="made-key">
          {made.key}
        </code>
        <CopyButton text={made.key}>Copy</CopyButton>
      </p>
      <details>
        <summary>Try it</summary>
        <pre>{`curl -H 'Authorization: Bearer ${made.key}' \\\n  ${window.location.origin}/oracle/sessions`}</pre>
      </details>
      <div className="row">
        <button type="button" onClick={onDone}>
          I have copied it
        </button>
      </div>
    </section>
  );
}

const expiries = [
  { days: 7, name: '7 days' },
  { days: 30, name: '30 days' },
  { days: 90, name: '90 days' },
  { days: 366, name: 'A year' },
];
const chosenDays = 90;

interface NewKeyFormProps {
  readonly isBusy: boolean;
  readonly onMake: (wanted: NewApiKey) => Promise<void>;
}

export function NewKeyForm({ isBusy, onMake }: NewKeyFormProps) {
  const [problem, setProblem] = useState('');
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const chosen = scopes.filter((scope) => fields.getAll('scopes').includes(scope));
    const name = fields.get('name');
    if (typeof name !== 'string' || name.trim() === '') return;
    setProblem(chosen.length === 0 ? 'Choose at least one permission.' : '');
    if (chosen.length === 0) return;
    void onMake({ name: name.trim(), scopes: chosen, expiresInDays: Number(fields.get('days')) }).then(() =>
      form.reset(),
    );
  }
  return (
    <form className="card stack" onSubmit={submit}>
      <h2>New key</h2>
      <div className="fields">
        <div className="field">
          <label htmlFor="key-name">Name</label>
          <input id="key-name" name="name" required maxLength={80} placeholder="Nightly report" autoComplete="off" />
        </div>
        <div className="field">
          <label htmlFor="key-days">Expires after</label>
          <select id="key-days" name="days" defaultValue={chosenDays}>
            {expiries.map(({ days, name }) => (
              <option key={days} value={days}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
      <fieldset className="scopes">
        <legend>Permissions</legend>
        {scopes.map((scope) => (
          <label key={scope}>
            <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'read'} />
            <span>
              {scopeWords[scope]} <code className="quiet">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      {problem === '' ? null : (
        <p className="notice bad" role="alert">
          {problem}
        </p>
      )}
      <div className="row">
        <button type="submit" className="primary" disabled={isBusy}>
          Create key
        </button>
      </div>
    </form>
  );
}
