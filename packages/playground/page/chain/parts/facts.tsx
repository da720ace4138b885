import type { ReactNode } from 'react';
import { viewOfId } from '../find/forms-of.js';
import { shortId, wordOf } from './format.js';
import { ChainLink } from './links.js';

const tones: Readonly<Record<string, string>> = {
  APPROVED: 'good',
  PAID: 'good',
  OPEN: 'good',
  REJECTED: 'bad',
  DISPUTED: 'bad',
  INVALIDATED: 'bad',
  FLAGGED: 'bad',
};

export function StatusBadge({ status }: { readonly status: string }) {
  return <span className={`badge ${tones[status] ?? ''}`}>{wordOf(status)}</span>;
}

/** An id, as a link if its form reveals its kind. */
export function IdLink({ id, isShort = false }: { readonly id: string; readonly isShort?: boolean }) {
  const view = viewOfId(id);
  const text = isShort ? shortId(id) : id;
  if (view === undefined) return <span className="mono break">{text}</span>;
  return (
    <ChainLink to={view} className="mono break" title={isShort ? id : undefined}>
      {text}
    </ChainLink>
  );
}

/** Names and values, omitting absent ones. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="break">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
