import { describe, expect, it } from 'vitest';
import { menuHopRules } from './hop-rules.fixture.js';
import { MemorySessionStore } from './memory-session-store.js';
import { closeSession } from './open-close-session.js';
import { type HopDeps, runHop } from './run-hop.js';
import { SessionQueue } from './with-session-lock.js';

const openTaker = (hopDeadlineMs = 5000): HopDeps => ({
  store: new MemorySessionStore(),
  queue: new SessionQueue(),
  rules: menuHopRules(),
  sessionTtlMs: 180_000,
  hopDeadlineMs,
  clock: () => 0,
});
const key = { aggregator: 'canonical', sessionId: 's', phoneNumber: '+260971230567' };
const hop = (text: string) => ({ ...key, serviceCode: '*384#', text, arrivedAtMs: 0 });

describe('a closed session', () => {
  it('is no longer live, and its next hop gets the text to dial again', async () => {
    const taker = openTaker();
    await runHop(hop(''), taker);
    expect(await closeSession(key, taker)).toBe(true);
    expect(await taker.store.listLive('default')).toEqual([]);
    expect((await runHop(hop('1'), taker)).kind).toBe('expired');
    expect((await runHop(hop(''), taker)).kind).toBe('dial');
  });

  it('may be closed twice, and an unknown one may be closed', async () => {
    const taker = openTaker();
    expect(await closeSession(key, taker)).toBe(false);
    await runHop(hop(''), taker);
    await closeSession(key, taker);
    expect(await closeSession(key, taker)).toBe(false);
  });

  it('belongs to its number: that of another number with the same id stays live', async () => {
    const taker = openTaker();
    await runHop(hop(''), taker);
    expect(await closeSession({ ...key, phoneNumber: '+254700000001' }, taker)).toBe(false);
    expect((await runHop(hop('1'), taker)).state).toBe('knowMore');
  });

  it('is closed after a running hop, and no later than the deadline of a hop', async () => {
    const taker = openTaker(50);
    await taker.store.hold(key, 60_000);
    await expect(closeSession(key, taker)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });
});
