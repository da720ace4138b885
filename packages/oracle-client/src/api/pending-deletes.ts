import { isNotFound } from './requests/request-error.js';
import { errorOf, recordOf } from './requests/values.js';

/** How long a deletion can be undone. */
const undoMs = 10_000;

/** Key in the local storage. */
const place = 'mlango deleted';

export interface DeletesSnapshot {
  /** Hidden items: they can be restored, or are being deleted. */
  readonly hidden: readonly string[];
  /** Those of them that can be restored. */
  readonly undoable: readonly string[];
  /** Why a deleted item is shown again. */
  readonly error: Error | undefined;
}

type Remove = (id: string) => Promise<unknown>;

export const nothingDeleted: DeletesSnapshot = { hidden: [], undoable: [], error: undefined };

/**
 * Deletions that the user can undo for a while, each by an id; afterwards the items are deleted.
 *
 * Pending deletions are in the local storage: leaving a page deletes nothing, and the next page restarts the undo period. An undo
 * in one tab applies to all tabs.
 */
export class PendingDeletes {
  readonly #of: string;
  readonly #listeners = new Set<() => void>();
  #snapshot = nothingDeleted;
  #remove: Remove | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param of the same for the same user, oracle and kind of things */
  constructor(of: string) {
    this.#of = of;
    const stored = this.#stored();
    this.#show({ hidden: stored, undoable: stored, error: undefined });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): DeletesSnapshot => this.#snapshot;

  /** Sets the delete function; nothing is deleted before. */
  readonly open = (remove: Remove): void => {
    this.#remove = remove;
    if (this.#timer === undefined) this.linger();
  };

  readonly remove = (id: string): void => {
    const { hidden, undoable } = this.#snapshot;
    this.#store((ids) => [...ids, id]);
    this.#show({ hidden: [...hidden, id], undoable: [...undoable, id], error: undefined });
    this.linger();
  };

  /** Restores all of them. */
  readonly undo = (): void => {
    const { hidden, undoable } = this.#snapshot;
    this.#store((ids) => without(ids, undoable));
    this.#show({ ...nothingDeleted, hidden: without(hidden, undoable) });
  };

  /** Restarts the undo period. */
  readonly linger = (): void => {
    clearTimeout(this.#timer);
    if (this.#remove === undefined || this.#snapshot.undoable.length === 0) return;
    this.#timer = setTimeout(() => void this.#commit(), undoMs);
  };

  async #commit(): Promise<void> {
    const { hidden, undoable } = this.#snapshot;
    const stored = this.#stored();
    const wanted = undoable.filter((id) => stored.includes(id));
    this.#show({ ...nothingDeleted, hidden: without(hidden, without(undoable, wanted)) });
    const results = await Promise.allSettled(wanted.map(async (id) => this.#remove?.(id)));
    const failed = results.find((result) => result.status === 'rejected' && !isNotFound(result.reason));
    this.#store((ids) => without(ids, wanted));
    this.#show({
      ...this.#snapshot,
      hidden: without(this.#snapshot.hidden, wanted),
      error: failed?.status === 'rejected' ? errorOf(failed.reason) : undefined,
    });
  }

  #show(snapshot: DeletesSnapshot): void {
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }

  /** Without storage the page's own list counts. */
  #stored(): readonly string[] {
    const stored = allStored()[this.#of];
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : this.#snapshot.undoable;
  }

  #store(change: (ids: readonly string[]) => readonly string[]): void {
    try {
      localStorage.setItem(place, JSON.stringify({ ...allStored(), [this.#of]: change(this.#stored()) }));
    } catch {
      // Full, or switched off.
    }
  }
}

const without = (ids: readonly string[], others: readonly string[]) => ids.filter((id) => !others.includes(id));

function allStored(): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(localStorage.getItem(place) ?? '{}'));
  } catch {
    return {};
  }
}
