import { useEffect, useSyncExternalStore } from 'react';
import { type DeletesSnapshot, nothingDeleted } from '../api/pending-deletes.js';
import { useOraclesRuntime } from './oracles-context.js';
import { useLatest } from './use-latest.js';

/** Deletes that can be taken back. */
export interface IDeletions extends DeletesSnapshot {
  /**
   * Deletes something for the eye at once, and for good ten seconds later. A page that is left before that has deleted nothing; the next one
   * does, ten seconds after it has begun.
   */
  readonly remove: (id: string) => void;
  /** Takes back all that can be. */
  readonly undo: () => void;
  /** The ten seconds begin anew. */
  readonly linger: () => void;
}

/** @param remove deletes one for good; undefined until that can be done */
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
