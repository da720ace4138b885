import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CallRecords } from '../agent/loop/sql-call-records.js';
import type { DelegationStore } from '../identity/delegation-store.js';
import type { PluginStateStore } from '../plugins/host/state/plugin-state-store.js';
import type { RunRepository } from '../runs/run-repository.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { PreferencesStore } from '../store/preferences.js';
import type { SummaryStore } from '../store/summaries.js';
import type { AccountDataStore } from './account-data-store.js';

export interface OwnDataSetting {
  readonly store: AccountDataStore;
  readonly conversations: ConversationStore;
  readonly summaries: SummaryStore;
  readonly runRepository: RunRepository;
  readonly calls: CallRecords;
  readonly preferences: PreferencesStore;
  readonly delegations: DelegationStore;
  readonly state: PluginStateStore;
}

const at = new Date(1_000);
const lease = { writerId: 'w', leaseMs: 60_000 };

/** Guarantees of every adapter of the port. */
export function ownDataStoreContract(name: string, open: () => OwnDataSetting): void {
  const question = (turnId: string, content = 'hi') =>
    ({ messageId: `${turnId}.q`, turnId, type: 'human', content, createdAt: at }) as const;

  async function begin({ conversations, runRepository }: OwnDataSetting, ownerDid: string) {
    const run = { runId: randomUUID(), ownerDid, sessionId: randomUUID(), requestId: randomUUID() };
    await conversations.createSession(ownerDid, { sessionId: run.sessionId, createdAt: at });
    expect(await runRepository.claim(run, lease, question(run.runId))).toBeTypeOf('object');
    return run;
  }

  /** A user with data of every kind. */
  async function newUserWithData(setting: OwnDataSetting) {
    const did = `did:key:${randomUUID()}`;
    const run = await begin(setting, did);
    await setting.calls.begin(run, [{ id: 'c', plugin: 'bank', name: 'pay', args: { amount: 5 } }]);
    await setting.runRepository.end(run.runId, lease.writerId, 'finished');
    const summary = { text: 'They paid.', upTo: 1, sources: [] };
    await setting.summaries.advance(did, run.sessionId, summary, at);
    const branch = { id: 'b', insteadOf: run.runId, path: [] };
    await setting.summaries.advance(did, run.sessionId, { ...summary, text: 'They did not.' }, at, branch);
    await setting.preferences.merge(did, { agentName: 'Jua' }, at);
    await setting.preferences.merge(did, { agentName: 'Juma' }, at, '!room:example.org');
    await setting.delegations.put(did, { sealed: 'sealed-token', expiresAt: 9 });
    const put = { key: 'home', value: '"Lodwar"', version: undefined, expiresAt: undefined, keys: 5, at };
    await setting.state.put({ plugin: 'home', ownerDid: did }, put);
    return { did, run };
  }

  async function exported({ store }: OwnDataSetting, did: string) {
    const rows: { kind: string; row: object }[] = [];
    for await (const row of store.export(did)) rows.push(row);
    return rows;
  }

  const kinds = [
    'sessions',
    'messages',
    'summaries',
    'branch-summaries',
    'runs',
    'tool-calls',
    'preferences',
    'room-preferences',
    'delegations',
    'plugin-state',
  ];

  describe(`${name} exports the data of a user`, () => {
    it('of every kind, of no other user, and without sealed data', async () => {
      const setting = open();
      const [asha, bo] = [await newUserWithData(setting), await newUserWithData(setting)];
      const rows = await exported(setting, asha.did);
      expect(rows.map(({ kind }) => kind)).toEqual(kinds);
      const text = JSON.stringify(rows);
      for (const own of ['hi', 'They paid.', 'They did not.', 'Juma', 'Lodwar', '"amount":5', asha.run.sessionId]) {
        expect(text).toContain(own);
      }
      for (const foreign of ['sealed-token', bo.did, bo.run.sessionId, bo.run.runId])
        expect(text).not.toContain(foreign);
    });

    it('of any size, each row once', async () => {
      const setting = open();
      const { did, run } = await newUserWithData(setting);
      const add = (index: number) =>
        setting.conversations.addMessage(did, run.sessionId, { ...question(`t${index}`), content: `m${index}` });
      for (let index = 0; index < 230; index++) await add(index);
      const messages = (await exported(setting, did)).filter(({ kind }) => kind === 'messages');
      expect(new Set(messages.map(({ row }) => JSON.stringify(row))).size).toBe(231);
      expect(messages).toHaveLength(231);
    });

    it('and deletes all of it, once, and no data of other users', async () => {
      const setting = open();
      const [asha, bo] = [await newUserWithData(setting), await newUserWithData(setting)];
      const before = await exported(setting, bo.did);
      expect(await setting.store.endedRuns(asha.did)).toEqual([asha.run.runId]);
      const forgotten = await setting.store.forget(asha.did);
      const none = { 'approval-rules': 0, 'api-keys': 0 };
      expect(forgotten).toEqual({
        deleted: { ...none, ...Object.fromEntries(kinds.map((kind) => [kind, 1])) },
        retained: [],
        sessionIds: [asha.run.sessionId],
        runIds: [asha.run.runId],
      });
      expect(await exported(setting, asha.did)).toEqual([]);
      expect(await setting.store.forget(asha.did)).toEqual({
        deleted: { ...none, ...Object.fromEntries(kinds.map((kind) => [kind, 0])) },
        retained: [],
        sessionIds: [],
        runIds: [],
      });
      expect(await exported(setting, bo.did)).toEqual(before);
    });

    it('and deletes nothing while a run is active', async () => {
      const setting = open();
      const { did } = await newUserWithData(setting);
      const live = await begin(setting, did);
      const before = await exported(setting, did);
      expect(await setting.store.busySessions(did)).toEqual([live.sessionId]);
      expect(await setting.store.endedRuns(did)).not.toContain(live.runId);
      expect(await setting.store.forget(did)).toBe('busy');
      expect(await exported(setting, did)).toEqual(before);
      await setting.runRepository.end(live.runId, lease.writerId, 'aborted');
      expect(await setting.store.busySessions(did)).toEqual([]);
      expect(await setting.store.forget(did)).toMatchObject({ deleted: { sessions: 2 } });
    });

    it('and concurrent writes are deleted, find nothing, or keep all data', async () => {
      const setting = open();
      for (let round = 0; round < 10; round++) {
        const { did, run } = await newUserWithData(setting);
        const later = { ...run, runId: randomUUID(), requestId: randomUUID() };
        const [claimed, added, forgotten] = await Promise.all([
          setting.runRepository.claim(later, lease, question(later.runId, 'at the same time')),
          setting.conversations.addMessage(did, run.sessionId, question('late')),
          setting.store.forget(did),
          setting.summaries.advance(did, run.sessionId, { text: 'Late.', upTo: 9, sources: [] }, at),
        ]);
        const left = new Set((await exported(setting, did)).map(({ kind }) => kind));
        if (forgotten === 'busy') expect([claimed, left.has('sessions'), added]).toEqual([{}, true, 'added']);
        else expect([claimed, [...left]]).toEqual(['no_session', []]);
      }
    });
  });
}
