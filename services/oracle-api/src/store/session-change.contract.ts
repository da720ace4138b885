import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConversationStore } from './conversation-store.js';

const at = (seconds: number) => new Date(seconds * 1_000);

/** Contract tests of session changes for every adapter of the port. */
export function sessionChangeContract(name: string, open: () => ConversationStore): void {
  describe(`${name} changes sessions`, () => {
    let store: ConversationStore;
    let asha: string;
    beforeEach(() => {
      store = open();
      asha = `did:key:asha-${randomUUID()}`;
    });

    const newSession = (owner: string, seconds = 0) =>
      store.createSession(owner, { sessionId: randomUUID(), createdAt: at(seconds) });

    it('changes the title, also before the first one, without changing the activity', async () => {
      const { sessionId } = await newSession(asha);
      const other = await newSession(asha, 5);
      expect(await store.changeSession(asha, sessionId, { title: 'Tea' })).toMatchObject({ title: 'Tea' });
      expect(await store.setFirstTitle(asha, sessionId, 'Coffee', at(7))).toBe(false);
      const renamed = await store.changeSession(asha, sessionId, { title: 'Chai' });
      expect(renamed).toEqual({ sessionId, title: 'Chai', createdAt: at(0), lastUpdatedAt: at(0) });
      const { sessions } = await store.listSessions(asha, { limit: 5, offset: 0 });
      expect(sessions).toEqual([other, renamed]);
    });

    it('lists archived sessions separately, with the first archiving time, until they are unarchived', async () => {
      const [listed, session] = [await newSession(asha), await newSession(asha, 5)];
      const archive = (archivedAt: Date | null) => store.changeSession(asha, session.sessionId, { archivedAt });
      await archive(at(9));
      const archived = { ...session, archivedAt: at(9) };
      expect(await archive(at(10))).toEqual(archived);
      const list = async (archived?: boolean) =>
        store.listSessions(asha, { limit: 5, offset: 0, ...(archived === undefined ? {} : { archived }) });
      expect(await list()).toEqual({ sessions: [listed], total: 1 });
      expect(await list(true)).toEqual({ sessions: [archived], total: 1 });
      await store.addMessage(asha, session.sessionId, {
        messageId: 'm',
        turnId: 't',
        type: 'human',
        content: 'hi',
        createdAt: at(6),
      });
      expect(await list(true)).toEqual({ sessions: [{ ...archived, lastUpdatedAt: at(6) }], total: 1 });
      expect(await archive(null)).toEqual({ ...session, lastUpdatedAt: at(6) });
      expect([(await list()).total, (await list(true)).total]).toEqual([2, 0]);
    });

    it('replaces the replaceable session with the oldest activity at the limit of its owner', async () => {
      const create = async (owner: string, seconds: number, isReplaceable = true) => {
        const session = {
          sessionId: randomUUID(),
          createdAt: at(seconds),
          ...(isReplaceable ? { isReplaceable } : {}),
        };
        const created = await store.createSessionUpTo(4, owner, session);
        if (created === 'full') return created;
        const message = { messageId: 'm', turnId: 't', type: 'ai' as const, content: 'hi', createdAt: at(seconds) };
        if (seconds !== 0) await store.addMessage(owner, session.sessionId, message);
        return session.sessionId;
      };
      const ids = async (owner: string) =>
        (await store.listSessions(owner, { limit: 9, offset: 0 })).sessions.map(({ sessionId }) => sessionId);
      const bo = `did:key:bo-${randomUUID()}`;
      const foreign = await create(bo, 1);
      const [own, oldest, named] = [await create(asha, 1, false), await create(asha, 2), await create(asha, 3)];
      const empty = await create(asha, 0);
      await store.changeSession(asha, named, { title: 'Tea' });
      const [next, another] = [await create(asha, 4), await create(asha, 5, false)];
      expect(await ids(asha)).toEqual([another, named, own, empty]);
      expect([oldest, next]).not.toContain('full');
      expect(await create(asha, 6)).toBe('full');
      expect(await ids(bo)).toEqual([foreign]);
    });
  });
}
