import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PendingDeletes } from './pending-deletes.js';
import { OracleRequestError } from './requests/request-error.js';

const ten = () => vi.advanceTimersByTimeAsync(10_000);

function opened(remove: (id: string) => Promise<unknown> = async () => undefined) {
  const pending = new PendingDeletes('asha');
  const deleted: string[] = [];
  pending.open(async (id) => {
    await remove(id);
    deleted.push(id);
  });
  return { pending, deleted };
}

describe('deleted items', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('hides the item at once and deletes all items ten seconds after the last deletion', async () => {
    const { pending, deleted } = opened();
    pending.remove('a');
    expect(pending.snapshot()).toEqual({ hidden: ['a'], undoable: ['a'], error: undefined });
    await vi.advanceTimersByTimeAsync(9_000);
    pending.remove('b');
    await vi.advanceTimersByTimeAsync(9_000);
    expect(deleted).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(deleted).toEqual(['a', 'b']);
    expect(pending.snapshot()).toEqual({ hidden: [], undoable: [], error: undefined });
  });

  it('is shown again after undo, and stays', async () => {
    const { pending, deleted } = opened();
    for (const id of ['a', 'b']) pending.remove(id);
    pending.undo();
    expect(pending.snapshot().hidden).toEqual([]);
    await ten();
    expect(deleted).toEqual([]);
  });

  it('restarts the undo period on focus', async () => {
    const { pending, deleted } = opened();
    pending.remove('a');
    await vi.advanceTimersByTimeAsync(9_999);
    pending.linger();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(deleted).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(deleted).toEqual(['a']);
  });

  it('survives leaving the page: the next page can restore the item, or deletes it ten seconds later', async () => {
    const left = new PendingDeletes('asha');
    left.remove('a');
    const { pending, deleted } = opened();
    expect(pending.snapshot()).toMatchObject({ hidden: ['a'], undoable: ['a'] });
    expect(new PendingDeletes('bo').snapshot().hidden).toEqual([]);
    await ten();
    expect(deleted).toEqual(['a']);
    expect(new PendingDeletes('asha').snapshot().hidden).toEqual([]);
  });

  it('is deleted by no tab after another one has restored it', async () => {
    const { pending, deleted } = opened();
    pending.remove('a');
    new PendingDeletes('asha').undo();
    await ten();
    expect(deleted).toEqual([]);
    expect(pending.snapshot().hidden).toEqual([]);
  });

  it('shows the item again with the reason after a failure, and treats 404 as deleted', async () => {
    const { pending } = opened(async (id) => {
      throw new OracleRequestError(id === 'gone' ? 404 : 503, { message: `no ${id}` });
    });
    pending.remove('gone');
    await ten();
    expect(pending.snapshot()).toEqual({ hidden: [], undoable: [], error: undefined });
    pending.remove('a');
    await ten();
    expect(pending.snapshot()).toMatchObject({ hidden: [], undoable: [], error: { message: 'no a' } });
  });

  it('works without browser storage', async () => {
    vi.stubGlobal('localStorage', undefined);
    const { pending, deleted } = opened();
    pending.remove('a');
    pending.undo();
    pending.remove('b');
    await ten();
    expect(deleted).toEqual(['b']);
  });
});
