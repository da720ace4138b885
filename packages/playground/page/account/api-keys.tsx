import { useState } from 'react';
import { Title } from '../shell/title.js';
import { type ApiKey, type MadeApiKey, type NewApiKey, NewKeyForm, ShownKey } from './new-api-key.js';
import { useAttempt, useOracleQuery, useOracleRequest } from './oracle-requests.js';
import { ConfirmButton, formatDay, Loaded, OutcomeLine } from './parts.js';

interface KeyListProps {
  readonly keys: readonly ApiKey[];
  readonly isBusy: boolean;
  readonly onRevoke: (key: ApiKey) => void;
}

function KeyList({ keys, isBusy, onRevoke }: KeyListProps) {
  return (
    <section className="stack" aria-labelledby="keys-heading">
      <h2 id="keys-heading">Your keys</h2>
      {keys.length === 0 ? (
        <p className="empty">No keys</p>
      ) : (
        <ul className="rows">
          {keys.map((key) => (
            <li key={key.id}>
              <div>
                <strong className="break">{key.name}</strong>{' '}
                {isOver(key) ? <span className="badge bad">Expired</span> : null}
                <p className="row">
                  {key.scopes.map((scope) => (
                    <span key={scope} className="badge">
                      {scope}
                    </span>
                  ))}
                </p>
                <p className="quiet small">
                  <code>mlk_{key.id}…</code> Made {formatDay(key.createdAt)}, {isOver(key) ? 'expired' : 'good until'}{' '}
                  {formatDay(key.expiresAt)},{' '}
                  {key.lastUsedAt === undefined ? 'never used' : `last used ${formatDay(key.lastUsedAt)}`}.
                </p>
              </div>
              <ConfirmButton
                does="Revoke"
                really={`Revoke “${key.name}”? What uses it stops working.`}
                className="tight bad"
                isBusy={isBusy}
                onSure={() => onRevoke(key)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function isOver({ expiresAt }: ApiKey): boolean {
  return new Date(expiresAt).getTime() <= Date.now();
}

/** Keys for scripts that cannot sign. */
export function KeysView() {
  const request = useOracleRequest();
  const query = useOracleQuery<{ readonly keys: readonly ApiKey[] }>('/api-keys');
  const [made, setMade] = useState<MadeApiKey>();
  const { outcome, isBusy, attempt } = useAttempt();

  const make = (wanted: NewApiKey) =>
    attempt(async () => {
      setMade(await request<MadeApiKey>('/api-keys', 'POST', wanted));
      query.retry();
      return `The key “${wanted.name}” is made.`;
    });

  const revoke = ({ id, name }: ApiKey) =>
    attempt(async () => {
      await request(`/api-keys/${encodeURIComponent(id)}`, 'DELETE');
      if (made?.id === id) setMade(undefined);
      query.retry();
      return `The key “${name}” is revoked: the next request that shows it is refused.`;
    });

  return (
    <>
      <div>
        <Title>API keys</Title>
        <p className="lead">For scripts and programs that act for you, with the permissions you give each of them.</p>
      </div>
      <Loaded
        query={query}
        absent={
          <>
            API keys are turned off here. The operator turns them on with <code>API_KEYS=on</code>.
          </>
        }
      >
        {({ keys }) => (
          <>
            {made === undefined ? null : <ShownKey made={made} onDone={() => setMade(undefined)} />}
            <OutcomeLine outcome={outcome} />
            <NewKeyForm isBusy={isBusy} onMake={make} />
            <KeyList keys={keys} isBusy={isBusy} onRevoke={(key) => void revoke(key)} />
          </>
        )}
      </Loaded>
    </>
  );
}
