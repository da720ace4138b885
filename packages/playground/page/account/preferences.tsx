import { type IUserPreferences, type UserPreferences, useUserPreferences } from '@mlango/oracle-client';
import { type FormEvent, useState } from 'react';
import { oracleAddress } from '../chat/oracle-address.js';
import { useSettings } from '../shell/settings.js';
import { Title } from '../shell/title.js';
import { useAttempt } from './oracle-requests.js';
import { formatDay, Loaded, OutcomeLine } from './parts.js';
import { formalities, type Preference, preferenceFields } from './preference-fields.js';

interface PreferencesFormProps {
  readonly stored: UserPreferences;
  readonly onSave: IUserPreferences['setPreferences'];
}

/** All preferences in one form. A field that is left empty is no preference. */
function PreferencesForm({ stored, onSave }: PreferencesFormProps) {
  const [record, setRecord] = useState(stored);
  const { outcome, isBusy, attempt } = useAttempt();

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
    );
    void attempt(async () => {
      setRecord(await onSave(Object.fromEntries(fields)));
      return 'Saved. It applies from your next message on.';
    });
  }

  return (
    <form className="card stack" onSubmit={submit}>
      <div className="fields">
        {preferenceFields.map((field) => (
          <Field key={field.name} field={field} value={record[field.name]} />
        ))}
        <div className="field">
          <label htmlFor="formality">Formality</label>
          <select id="formality" name="formality" defaultValue={record.formality ?? ''}>
            <option value="">No preference</option>
            {formalities.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div className="field">
        <label htmlFor="customInstructions">Anything else</label>
        <textarea
          id="customInstructions"
          name="customInstructions"
          rows={4}
          maxLength={2_000}
          defaultValue={record.customInstructions ?? ''}
          aria-describedby="instructions-hint"
        />
        <span id="instructions-hint" className="hint">
          Sent to the oracle with every message, at most 2,000 characters.
        </span>
      </div>
      <div className="row">
        <button type="submit" className="primary" disabled={isBusy}>
          Save
        </button>
        {record.updatedAt === undefined ? null : (
          <span className="quiet small">Last changed {formatDay(record.updatedAt)}</span>
        )}
      </div>
      <OutcomeLine outcome={outcome} />
    </form>
  );
}

function Field({ field, value = '' }: { readonly field: Preference; readonly value?: string | undefined }) {
  const { name, label, example, maxLength } = field;
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        defaultValue={value}
        maxLength={maxLength}
        placeholder={example}
        autoComplete="off"
      />
    </div>
  );
}

/** The user's preferences for answers. */
export function PreferencesView() {
  const { oracleDid } = useSettings();
  const { preferences, error, refetch, setPreferences } = useUserPreferences(oracleDid, oracleAddress);
  const query = { reply: preferences, error, retry: () => void refetch() };
  return (
    <>
      <div>
        <Title>Preferences</Title>
        <p className="lead">
          How the oracle talks to you, from your next message on. In the chat, “Call me Alex” does the same.
        </p>
      </div>
      <Loaded query={query} absent="This oracle keeps no preferences: its plugin is off.">
        {(stored) => <PreferencesForm stored={stored} onSave={setPreferences} />}
      </Loaded>
    </>
  );
}
