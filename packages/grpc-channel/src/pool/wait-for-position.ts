import { CALL_TIMEOUT_MS, type CallOptions } from '../channel.js';
import type { KnownNode } from './known-node.js';

/** Two probes: enough for a position that another client has seen. */
const WAIT_MS = 2000;

/** Waits until a node has reached a position, at most 2 s. Resolves also at the call's timeout and when its caller leaves. */
export function waitForPosition(
  nodes: readonly KnownNode[],
  position: number,
  { timeoutMs = CALL_TIMEOUT_MS, signal }: Pick<CallOptions, 'timeoutMs' | 'signal'>,
): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      for (const node of nodes) node.onHigher.delete(check);
      resolve();
    };
    const check = (): void => {
      if (nodes.some((node) => node.hasReached(position))) end();
    };
    const timer = setTimeout(end, Math.min(WAIT_MS, timeoutMs));
    signal?.addEventListener('abort', end, { once: true });
    for (const node of nodes) node.onHigher.add(check);
  });
}
