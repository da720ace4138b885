import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { describe, expect, it } from 'vitest';
import { MemoryRunLogStore } from '../runs/log/memory.js';
import { Account, type AccountDataSource, type AccountParts } from './account.js';

const ownerDid = 'did:key:asha';
const run = { runId: 'run-1', ownerDid };

/** A user with two sessions and an ended run. Their rows are deleted once. */
async function setUp(sources: readonly AccountDataSource[] = []) {
  const runs = new MemoryRunLogStore({ retentionMs: 60_000, limitChars: 1_000 }, () => 0);
  await runs.begin(run, 'writer');
  let isDeleted = false;
  const closed: string[] = [];
  const signer = signerFromSeed(Buffer.alloc(32, 'o'));
  const parts: AccountParts = {
    store: {
      export: () => {
        throw new Error('not exported');
      },
      busySessions: async () => [],
      endedRuns: async () => (isDeleted ? [] : [run.runId]),
      deleteNewest: async () => 0,
      forget: async () => {
        const found = { sessionIds: isDeleted ? [] : ['s1', 's2'], runIds: isDeleted ? [] : [run.runId] };
        isDeleted = true;
        return { deleted: { sessions: found.sessionIds.length }, retained: [], ...found };
      },
    },
    sources,
    turns: { stop: async () => true },
    runs,
    realtime: { closeSession: async ({ sessionId }) => void closed.push(sessionId) },
    oracle: { did: 'did:key:oracle', name: 'Jua' } as AccountParts['oracle'],
    signer,
    now: () => new Date(0),
    newId: () => 'receipt',
  };
  return { account: new Account(parts), parts, runs, closed, wasDeleted: () => isDeleted };
}

describe('the deletion of an account', () => {
  it.each([1, 2])(
    'leaves no frames and no sockets after a repeat when the %s. deletion of frames fails',
    async (failing) => {
      const { account, runs, closed, wasDeleted } = await setUp();
      const forget = runs.forget.bind(runs);
      let attempts = 0;
      runs.forget = async (keys) => {
        attempts += 1;
        if (attempts === failing) throw new Error('redis away');
        await forget(keys);
      };
      await expect(account.delete(ownerDid)).rejects.toThrow('redis away');
      // Sessions whose rows exist keep their sockets.
      expect(closed).toEqual(wasDeleted() ? ['s1', 's2'] : []);
      expect(await account.delete(ownerDid)).toMatchObject({ id: 'receipt' });
      expect(closed).toEqual(['s1', 's2']);
      expect(await runs.read(run, 0)).toBeUndefined();
    },
  );

  it('tries every plugin and closes all sockets when a plugin fails after the rows are deleted', async () => {
    const forgotten: string[] = [];
    const source = (name: string): AccountDataSource => ({
      name,
      export: () => {
        throw new Error('not exported');
      },
      forget: async () => {
        forgotten.push(name);
        if (name === 'broken' && setting.wasDeleted()) throw new Error('plugin failed');
        return { deleted: {} };
      },
    });
    const setting = await setUp([source('broken'), source('fine')]);
    await expect(setting.account.delete(ownerDid)).rejects.toThrow('plugin failed');
    expect(forgotten).toEqual(['broken', 'fine', 'broken', 'fine']);
    expect(setting.closed).toEqual(['s1', 's2']);
    expect(await setting.runs.read(run, 0)).toBeUndefined();
  });
});
