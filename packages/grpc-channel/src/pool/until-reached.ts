import type { CancelSignal } from '../channel.js';
import type { KnownNode } from './known-node.js';

/** Waits until one of the nodes says that it has a position. Resolves as well when the time is over or nobody waits any more. */
export function untilReached(
  nodes: readonly KnownNode[],
  position: number,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: CancelSignal | undefined },
): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      for (const node of nodes) node.onHigher.delete(look);
      resolve();
    };
    const look = (): void => {
      if (nodes.some((node) => node.hasReached(position))) end();
    };
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    for (const node of nodes) node.onHigher.add(look);
  });
}
