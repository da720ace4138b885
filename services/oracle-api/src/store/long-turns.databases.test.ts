import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { onDatabases } from '../plugins/api/on-databases.fixture.js';
import { tables } from '../plugins/memory/tables.js';
import { ConversationStore } from './conversation-store.js';
import type { OracleDatabase } from './database.js';
import type { TurnRange } from './sessions.js';

onDatabases(tables, (name, _own, db) => {
  it(`has no more than 4 MiB of turns on a page in ${name}, and loses none`, async () => {
    const store = new ConversationStore(db() as unknown as OracleDatabase);
    const [ownerDid, sessionId] = [`did:key:${randomUUID()}`, randomUUID()];
    await store.createSession(ownerDid, { sessionId, createdAt: new Date(0) });
    const say = (turnId: string, bytes: number) =>
      store.addMessage(ownerDid, sessionId, {
        messageId: randomUUID(),
        turnId,
        type: 'human',
        createdAt: new Date(0),
        content: 'x'.repeat(bytes),
      });
    for (const [turnId, bytes] of [
      ['a', 10],
      ['b', 5_000_000],
      ['c', 3_000_000],
      ['d', 1_000_000],
    ] as const) {
      await say(turnId, bytes);
    }
    const page = async (range: TurnRange) => {
      const found = await store.pageOfTurns(ownerDid, sessionId, range);
      if (found === 'unknown_cursor') throw new Error(found);
      return { ...found, turns: found.messages.map(({ turnId }) => turnId).join('') };
    };
    const newest = await page({ limit: 50 });
    const older = await page({ limit: 50, before: newest.olderCursor ?? '' });
    const oldest = await page({ limit: 50, before: older.olderCursor ?? '' });
    expect([newest.turns, older.turns, oldest.turns]).toEqual(['cd', 'b', 'a']);
    expect(oldest.olderCursor).toBeUndefined();
    const newer = await page({ limit: 50, after: oldest.newerCursor ?? '' });
    expect(newer.turns).toBe('b');
    expect((await page({ limit: 50, after: newer.newerCursor ?? '' })).turns).toBe('cd');
  });
});
