import { wordOf } from './words.js';

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
