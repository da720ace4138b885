import { useEffect, useSyncExternalStore } from 'react';
import { type DeletesSnapshot, nothingDeleted } from '../api/pending-deletes.js';
import { useOraclesRuntime } from './oracles-context.js';
import { useLatest } from './use-latest.js';

/** Deletes that can be taken back. */
export interface IDeletions extends DeletesSnapshot {
  /**
   * Hides an item at once, and deletes it ten seconds later. A page that is left before that has deleted nothing; the next one
   * deletes it, ten seconds after it has loaded.
   */
  readonly remove: (id: string) => void;
  /** Restores all restorable items. */
  readonly undo: () => void;
  /** Restarts the ten seconds. */
  readonly linger: () => void;
}

/** @param remove deletes one permanently; undefined until that is possible */
export function useDeletions(of: string, remove: ((id: string) => Promise<unknown>) | undefined): IDeletions {
  const pending = useOraclesRuntime().pendingDeletes(of);
  const snapshot = useSyncExternalStore(pending.subscribe, pending.snapshot, () => nothingDeleted);
  const latest = useLatest(remove);
  const isReady = remove !== undefined;
  useEffect(() => {
    if (isReady) pending.open(async (id) => latest()?.(id));
  }, [pending, isReady, latest]);
  return { ...snapshot, remove: pending.remove, undo: pending.undo, linger: pending.linger };
}
