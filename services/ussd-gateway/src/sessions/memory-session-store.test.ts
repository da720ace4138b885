import { describe, expect, it } from 'vitest';
import { MemorySessionStore } from './memory-session-store.js';
import { sessionStoreContract } from './session-store.contract.js';
import { anyRecord } from './session-store.fixture.js';
import { expiredRetentionMs } from './session-store.js';

function openMemory(maxSessions?: number) {
  let now = 1_000_000;
  const store = new MemorySessionStore({ clock: () => now, ...(maxSessions === undefined ? {} : { maxSessions }) });
  const pass = async (ms: number): Promise<void> => {
    now += ms;
  };
  return { store, pass, skips: true };
}

describe('sessions in memory', () => {
  sessionStoreContract(async () => openMemory());

  it('expire to the millisecond', async () => {
    const { store, pass } = openMemory();
    const record = anyRecord();
    const hold = await store.hold(record, 1000);
    await store.save(hold.kind === 'held' ? hold.lock : '', record, 180_000);
    await pass(179_999);
    expect(await store.listLive('default')).toEqual([record.sessionId]);
    await pass(1);
    expect(await store.listLive('default')).toEqual([]);
  });

  it('are bounded in number: the oldest are dropped first', async () => {
    const { store } = openMemory(3);
    const records = Array.from({ length: 5 }, () => anyRecord());
    for (const record of records) {
      const hold = await store.hold(record, 1000);
      await store.save(hold.kind === 'held' ? hold.lock : '', record, 60_000);
    }
    expect(await store.listLive('default')).toEqual(records.slice(2).map(({ sessionId }) => sessionId));
  });

  it('leave no entries after their expiry', async () => {
    const { store, pass } = openMemory();
    const record = anyRecord();
    const hold = await store.hold(record, 1000);
    await store.save(hold.kind === 'held' ? hold.lock : '', record, 1000);
    expect(store.size).toBe(1);
    await pass(1000 + expiredRetentionMs);
    await store.listLive('default');
    expect(store.size).toBe(0);
  });
});
