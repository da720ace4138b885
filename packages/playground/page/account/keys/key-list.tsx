import { AskedTwice } from '../parts/asked-twice.js';
import { saidDay } from '../parts/said-day.js';
import type { ApiKey } from './api-key.js';

interface KeyListProps {
  readonly keys: readonly ApiKey[];
  readonly isBusy: boolean;
  readonly onRevoke: (key: ApiKey) => void;
}

export function KeyList({ keys, isBusy, onRevoke }: KeyListProps) {
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
                  <code>mlk_{key.id}…</code> Made {saidDay(key.createdAt)}, {isOver(key) ? 'expired' : 'good until'}{' '}
                  {saidDay(key.expiresAt)},{' '}
                  {key.lastUsedAt === undefined ? 'never used' : `last used ${saidDay(key.lastUsedAt)}`}.
                </p>
              </div>
              <AskedTwice
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
