import type { StoredToolCall } from './conversation-store.js';

/** Why a call has no result; undefined for one that has, or waits for its user. */
export function errorOfCall({ status, output = 'null' }: StoredToolCall): string | undefined {
  if (status !== 'error' && status !== 'unknown') return undefined;
  const { error } = (JSON.parse(output) ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : 'The call failed.';
}
