import { type FormEvent, useState } from 'react';
import { type NewApiKey, scopes, scopeWords } from './api-key.js';

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
    const given = new FormData(form);
    const chosen = scopes.filter((scope) => given.getAll('scopes').includes(scope));
    const name = given.get('name');
    if (typeof name !== 'string' || name.trim() === '') return;
    setProblem(chosen.length === 0 ? 'Choose at least one permission.' : '');
    if (chosen.length === 0) return;
    void onMake({ name: name.trim(), scopes: chosen, expiresInDays: Number(given.get('days')) }).then(() =>
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
