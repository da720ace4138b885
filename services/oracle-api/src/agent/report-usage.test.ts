import type { RunStatus } from '@mlango/schemas/oracle-events';
import { describe, expect, it, vi } from 'vitest';
import { openTestStores } from '../../test/stores.fixture.js';
import type { MeteredTurn } from '../runs/payment.js';
import { unreportedUsage } from '../runs/schema.js';
import { storeUnreported } from '../runs/usage-outbox.js';
import { endAndRelease, reportUsage, retryUsageReports } from './usage.js';

const run = { runId: 'r', ownerDid: 'o', sessionId: 's', requestId: 'q' };
const turn: MeteredTurn = { ...run, part: 0, modelId: 'm', inputTokens: 1, outputTokens: 2, isEstimated: false };

async function setUp() {
  const told: MeteredTurn[] = [];
  const released: string[] = [];
  const state: { isUnavailable: boolean | 'for ever' } = { isUnavailable: true };
  const failing = { record: () => (state.isUnavailable === true ? Promise.reject(new Error('away')) : ever()) };
  const ever = () => (state.isUnavailable === 'for ever' ? new Promise<void>(() => undefined) : Promise.resolve());
  const { db, usageOutbox } = await openTestStores();
  const store = (metered: MeteredTurn) => storeUnreported(db, metered);
  /** Ends the wait for the next retry. */
  const makeDue = () => db.update(unreportedUsage).set({ nextAttemptAt: new Date(0) });
  const meters = [failing, { record: (metered: MeteredTurn) => void told.push(metered) }];
  const gate = { release: async (runId: string) => void released.push(runId) };
  const kept: { status: RunStatus } = { status: 'finished' };
  const runRepository = { find: async () => ({ ...run, ...kept, createdAt: new Date(0) }) };
  const parts = { meters, gate, usageOutbox, runRepository, log: { error: () => undefined } };
  return { parts, state, told, released, kept, store, makeDue };
}

describe('usage reports', () => {
  it('go to each meter, independent of the others and with a timeout', async () => {
    const { parts, state, told } = await setUp();
    expect(await reportUsage(parts, turn)).toBe(false);
    state.isUnavailable = 'for ever';
    vi.useFakeTimers();
    const hangs = reportUsage(parts, turn);
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    expect(await hangs).toBe(false);
    state.isUnavailable = false;
    expect(await reportUsage(parts, turn)).toBe(true);
    expect(told).toEqual([turn, turn, turn]);
  });

  it('are retried when due until every meter resolves, then release the hold', async () => {
    const { parts, state, told, released, store, makeDue } = await setUp();
    await store(turn);
    await store({ ...turn, part: 1, waitsUntil: new Date(0) });
    await retryUsageReports(parts);
    expect([told.length, released]).toEqual([2, []]);
    await retryUsageReports(parts);
    expect(told).toHaveLength(2);
    state.isUnavailable = false;
    await makeDue();
    await retryUsageReports(parts);
    // Both parts are reported at once, and a repeated release has no effect.
    expect([told.length, new Set(released)]).toEqual([4, new Set(['r'])]);
    await makeDue();
    await retryUsageReports(parts);
    expect(told).toHaveLength(4);
  });

  it.each(['running', 'waiting'] as const)('of a run that is %s release no hold', async (status) => {
    const { parts, state, released, kept, store } = await setUp();
    state.isUnavailable = false;
    kept.status = status;
    await store({ ...turn, waitsUntil: new Date(0) });
    await retryUsageReports(parts);
    expect(released).toEqual([]);
    const end = async () => {
      kept.status = 'finished';
    };
    await endAndRelease(parts, 'r', { metered: undefined, isReported: true, hasWaited: true }, end);
    expect(released).toEqual(['r']);
  });

  it('keep the hold until an earlier part is reported, even if the last part has no usage', async () => {
    const { parts, state, released, store } = await setUp();
    await store({ ...turn, waitsUntil: new Date(0) });
    await endAndRelease(parts, 'r', { metered: undefined, isReported: true, hasWaited: true }, async () => undefined);
    expect(released).toEqual([]);
    state.isUnavailable = false;
    await retryUsageReports(parts);
    expect(released).toEqual(['r']);
  });

  it('release the hold at the end of the run when the earlier part was reported meanwhile', async () => {
    const { parts, released, store } = await setUp();
    await store({ ...turn, waitsUntil: new Date(0) });
    await endAndRelease(parts, 'r', { metered: undefined, isReported: true, hasWaited: true }, () =>
      parts.usageOutbox.drop(turn),
    );
    expect(released).toEqual(['r']);
  });

  it('are repeated to retry a failed release', async () => {
    const { parts, state, released, store } = await setUp();
    state.isUnavailable = false;
    const letGo = vi.spyOn(parts.gate, 'release').mockRejectedValue(new Error('the database is away'));
    const end = async (unreported: MeteredTurn | undefined) => {
      if (unreported !== undefined) await store(unreported);
    };
    await endAndRelease(parts, 'r', { metered: turn, isReported: true, hasWaited: false }, end);
    expect(await parts.usageOutbox.has('r')).toBe(true);
    letGo.mockRestore();
    await retryUsageReports(parts);
    expect(released).toEqual(['r']);
    expect(await parts.usageOutbox.has('r')).toBe(false);
  });

  it('of other runs are made although the hold of one run cannot be released', async () => {
    const { parts, state, told, released, store } = await setUp();
    state.isUnavailable = false;
    for (let index = 0; index < 21; index++) await store({ ...turn, runId: `r${index}` });
    vi.spyOn(parts.gate, 'release').mockImplementation(async (runId) => {
      if (runId === 'r0') throw new Error('the gate fails');
      released.push(runId);
    });
    await retryUsageReports(parts);
    expect([told.length, released.length]).toEqual([21, 20]);
    expect(await parts.usageOutbox.has('r0')).toBe(true);
    expect(await parts.usageOutbox.has('r1')).toBe(false);
  });

  it('release the hold after the end of a free run when the first release failed', async () => {
    const { parts, released } = await setUp();
    vi.spyOn(parts.gate, 'release').mockRejectedValueOnce(new Error('the database is away'));
    await endAndRelease(parts, 'r', { metered: undefined, isReported: true, hasWaited: false }, async () => undefined);
    expect(released).toEqual(['r']);
  });
});
