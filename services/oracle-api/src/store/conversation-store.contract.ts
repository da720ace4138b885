import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConversationStore } from './conversation-store.js';
import { sessionChangeContract } from './session-change.contract.js';
import type { PlacedMessage, StoredMessage } from './sessions.js';
import { turnPageContract } from './turn-page.contract.js';

const start = new Date('2026-01-01T00:00:00.000Z').getTime();
const at = (seconds: number) => new Date(start + seconds * 1000);

/** Contract tests for every adapter of the port. */
export function conversationStoreContract(name: string, open: () => ConversationStore): void {
  turnPageContract(name, open);
  sessionChangeContract(name, open);

  describe(`${name} stores conversations`, () => {
    let store: ConversationStore;
    let asha: string;
    let bo: string;
    beforeEach(() => {
      store = open();
      asha = `did:key:asha-${randomUUID()}`;
      bo = `did:key:bo-${randomUUID()}`;
    });

    const newSession = (owner: string, seconds = 0) =>
      store.createSession(owner, { sessionId: randomUUID(), createdAt: at(seconds) });
    const message = (content: string, fields: Partial<StoredMessage> = {}): StoredMessage => ({
      messageId: randomUUID(),
      turnId: 'turn-1',
      type: 'human',
      content,
      createdAt: at(1),
      ...fields,
    });

    it('finds a session as it was created, without a title', async () => {
      const created = await newSession(asha);
      expect(created).toEqual({ sessionId: created.sessionId, createdAt: at(0), lastUpdatedAt: at(0) });
      expect(await store.findSession(asha, created.sessionId)).toEqual(created);
    });

    it('replaces a stored answer at its position, and no answer of other users', async () => {
      const { sessionId } = await newSession(asha);
      const waiting = message('It waits.', { type: 'ai' });
      const later = message('Later.', { type: 'ai', turnId: 'turn-2' });
      for (const each of [waiting, later]) await store.addMessage(asha, sessionId, each);
      const call = { id: 'c', name: 'pay', args: {}, status: 'done', output: '1' };
      const whole = {
        ...waiting,
        content: 'It waits. Done.',
        toolCalls: [call],
        components: [{ componentName: 'Receipt', at: 9 }],
        reasoning: 'Hm.',
        status: 'aborted' as const,
        finishReason: 'length' as const,
      };
      expect(await store.replaceAnswer(bo, sessionId, whole)).toBe(false);
      expect(await store.replaceAnswer(asha, sessionId, { ...whole, messageId: 'unknown' })).toBe(false);
      expect(await store.replaceAnswer(asha, sessionId, whole)).toBe(true);
      expect(await store.newestMessages(asha, sessionId, 5)).toEqual([whole, later]);
    });

    it('creates sessions up to the limit of an owner, also under concurrency', async () => {
      const create = (owner: string) =>
        store.createSessionUpTo(5, owner, { sessionId: randomUUID(), createdAt: at(0) });
      const created = await Promise.all(Array.from({ length: 20 }, () => create(asha)));
      expect(created.filter((result) => result === 'full')).toHaveLength(15);
      const { sessions, total } = await store.listSessions(asha, { limit: 20, offset: 0 });
      expect(total).toBe(5);
      expect(await create(bo)).toMatchObject({ createdAt: at(0), lastUpdatedAt: at(0) });
      await store.deleteSession(asha, sessions[0]?.sessionId ?? '');
      expect(await create(asha)).not.toBe('full');
      expect(await create(asha)).toBe('full');
    });

    it('stores the room of a session', async () => {
      const session = { sessionId: randomUUID(), roomId: '!abc:example.org', createdAt: at(0) };
      expect(await store.createSession(asha, session)).toEqual({ ...session, lastUpdatedAt: at(0) });
      await store.setFirstTitle(asha, session.sessionId, 'Trees', at(1));
      const titled = { ...session, title: 'Trees', lastUpdatedAt: at(1) };
      expect(await store.findSession(asha, session.sessionId)).toEqual(titled);
      expect(await store.listSessions(asha, { limit: 1, offset: 0 })).toEqual({ sessions: [titled], total: 1 });
    });

    it('lists sessions by latest activity, in pages, with the total', async () => {
      const first = await newSession(asha, 10);
      const second = await newSession(asha, 20);
      const third = await newSession(asha, 30);
      await newSession(bo, 40);
      await store.addMessage(asha, first.sessionId, message('hi', { createdAt: at(50) }));
      const ids = async (limit: number, offset: number) => {
        const { sessions, total } = await store.listSessions(asha, { limit, offset });
        expect(total).toBe(3);
        return sessions.map((session) => session.sessionId);
      };
      expect(await ids(20, 0)).toEqual([first.sessionId, third.sessionId, second.sessionId]);
      expect(await ids(1, 1)).toEqual([third.sessionId]);
      expect(await ids(0, 0)).toEqual([]);
      expect(await ids(20, Number.MAX_SAFE_INTEGER)).toEqual([]);
    });

    it('lists messages in insertion order, also with equal or decreasing times', async () => {
      const { sessionId } = await newSession(asha);
      const contents = ['a', 'b', 'c', 'd'];
      for (const [index, content] of contents.entries()) {
        await store.addMessage(asha, sessionId, message(content, { createdAt: at(index === 3 ? 0 : 5) }));
      }
      const listed = await store.newestMessages(asha, sessionId, 100);
      expect(listed.map(({ content }) => content)).toEqual(contents);
      expect((await store.newestMessages(asha, sessionId, 2)).map(({ content }) => content)).toEqual(['c', 'd']);
      expect((await store.findSession(asha, sessionId))?.lastUpdatedAt).toEqual(at(5));
    });

    it('returns a message as it was added', async () => {
      const { sessionId } = await newSession(asha);
      const added = message('“Habari” 👋🏾 \r\n\t\u2028 \\ \' " 日本', {
        type: 'ai',
        turnId: 'turn-9',
        createdAt: new Date(start + 123),
      });
      expect(await store.addMessage(asha, sessionId, added)).toBe('added');
      expect(await store.newestMessages(asha, sessionId, 1)).toEqual([added]);
    });

    it('finds a message by its id, in a session of its owner only', async () => {
      const { sessionId } = await newSession(asha);
      const other = await newSession(asha);
      const added = message('found');
      await store.addMessage(asha, sessionId, message('before'));
      await store.addMessage(asha, sessionId, added);
      expect(await store.findMessage(asha, sessionId, added.messageId)).toEqual(added);
      expect(await store.findMessage(bo, sessionId, added.messageId)).toBeUndefined();
      expect(await store.findMessage(asha, other.sessionId, added.messageId)).toBeUndefined();
      expect(await store.findMessage(asha, sessionId, 'nul\u0000')).toBeUndefined();
    });

    it('adds a message id once, and changes nothing the second time', async () => {
      const { sessionId } = await newSession(asha);
      const first = message('first');
      expect(await store.addMessage(asha, sessionId, first)).toBe('added');
      const again = { ...first, content: 'second', createdAt: at(99) };
      expect(await store.addMessage(asha, sessionId, again)).toBe('duplicate');
      expect(await store.newestMessages(asha, sessionId, 10)).toEqual([first]);
      expect((await store.findSession(asha, sessionId))?.lastUpdatedAt).toEqual(first.createdAt);
    });

    it('permits equal message ids in two sessions', async () => {
      const [one, two] = [await newSession(asha), await newSession(bo)];
      const shared = message('hello');
      expect(await store.addMessage(asha, one.sessionId, shared)).toBe('added');
      expect(await store.addMessage(bo, two.sessionId, shared)).toBe('added');
    });

    it('adds a message once under concurrency', async () => {
      const { sessionId } = await newSession(asha);
      const same = message('once');
      const results = await Promise.all(Array.from({ length: 5 }, () => store.addMessage(asha, sessionId, same)));
      expect(results.toSorted()).toEqual(['added', 'duplicate', 'duplicate', 'duplicate', 'duplicate']);
    });

    it('sets a title once, and updates the activity with it', async () => {
      const { sessionId } = await newSession(asha);
      expect(await store.setFirstTitle(asha, sessionId, 'Tea', at(7))).toBe(true);
      expect(await store.setFirstTitle(asha, sessionId, 'Coffee', at(8))).toBe(false);
      expect(await store.findSession(asha, sessionId)).toMatchObject({ title: 'Tea', lastUpdatedAt: at(7) });
    });

    it('deletes a session with its messages', async () => {
      const { sessionId } = await newSession(asha);
      await store.addMessage(asha, sessionId, message('hi'));
      expect(await store.deleteSession(asha, sessionId)).toBe(true);
      expect(await store.findSession(asha, sessionId)).toBeUndefined();
      expect(await store.newestMessages(asha, sessionId, 10)).toEqual([]);
      expect(await store.addMessage(asha, sessionId, message('late'))).toBe('absent');
      expect(await store.deleteSession(asha, sessionId)).toBe(false);
    });

    it('returns tool calls, reasoning and attachments as they were added', async () => {
      const { sessionId } = await newSession(asha);
      const added = message('done', {
        type: 'ai',
        toolCalls: [
          {
            id: 'c1',
            name: 'weather',
            args: { place: 'Nairobi', deep: [1, null] },
            status: 'done',
            output: '"sun"',
            at: 3,
          },
        ],
        components: [{ componentName: 'Map', args: { place: 'Nairobi' }, eventId: 'c1', at: 3 }],
        reasoning: 'The question is about weather.',
        status: 'finished',
        finishReason: 'length',
        attachments: [{ mxcUri: 'mxc://a/b', filename: 'a.png', mimetype: 'image/png', category: 'image', size: 3 }],
      });
      await store.addMessage(asha, sessionId, added);
      expect(await store.newestMessages(asha, sessionId, 1)).toEqual([added]);
    });

    it('accepts file names and tool results with any text', async () => {
      const { sessionId } = await newSession(asha);
      const odd = 'a\u0000\ud83d';
      const added = message('odd', {
        toolCalls: [{ id: 'c', name: 'n', args: { [odd]: odd }, output: odd }],
        attachments: [{ eventId: '$e', filename: odd, mimetype: 'a/b' }],
      });
      expect(await store.addMessage(asha, sessionId, added)).toBe('added');
      expect((await store.newestMessages(asha, sessionId, 1))[0]?.attachments).toHaveLength(1);
    });

    it('lists the messages of a turn together, also when the next turn began before its answer', async () => {
      const { sessionId } = await newSession(asha);
      const add = (content: string, turnId: string) => store.addMessage(asha, sessionId, message(content, { turnId }));
      for (const [content, turnId] of [
        ['q1', 't1'],
        ['q2', 't2'],
        ['a1', 't1'],
        ['a2', 't2'],
      ] as const)
        await add(content, turnId);
      const contents = (await store.newestMessages(asha, sessionId, 10)).map(({ content }) => content);
      expect(contents).toEqual(['q1', 'a1', 'q2', 'a2']);
    });

    describe('up to a turn', () => {
      const filled = async () => {
        const { sessionId } = await newSession(asha);
        for (const [content, turnId] of [
          ['q1', 't1'],
          ['a1', 't1'],
          ['q2', 't2'],
          ['q3', 't3'],
          ['a2', 't2'],
          ['q4', 't4'],
          ['a4', 't4'],
        ] as const)
          await store.addMessage(asha, sessionId, message(content, { turnId }));
        const read = (upTo: string, limit: number, after?: number) =>
          store.messagesUpTo(asha, sessionId, upTo, { limit, ...(after === undefined ? {} : { after }) });
        return { sessionId, read };
      };
      const contentsOf = (placed: readonly PlacedMessage[]) => placed.map(({ content }) => content).join(' ');

      it('returns the newest messages, and none of a turn that began later', async () => {
        const { read } = await filled();
        expect(contentsOf(await read('t3', 10))).toBe('q1 a1 q2 a2 q3');
        expect(contentsOf(await read('t4', 3))).toBe('q3 q4 a4');
        expect(await read('t9', 10)).toEqual([]);
      });

      it('returns the oldest messages after a place, which the messages of a turn share', async () => {
        const { read } = await filled();
        const all = await read('t4', 10);
        const places = [...new Set(all.map(({ place }) => place))];
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places).toHaveLength(4);
        expect(contentsOf(await read('t4', 10, places[0]))).toBe('q2 a2 q3 q4 a4');
        expect(contentsOf(await read('t3', 2, places[0]))).toBe('q2 a2');
        expect(await read('t4', 10, places[3])).toEqual([]);
        expect(await read('t4', 10, 0)).toEqual(all);
      });

      it('is restricted to the owner', async () => {
        const { sessionId } = await filled();
        expect(await store.messagesUpTo(bo, sessionId, 't4', { limit: 10 })).toEqual([]);
      });
    });

    it.each(['not-a-session', '', 'nul\u0000', '../x', 'é'.repeat(300)])(
      'finds nothing under %j',
      async (sessionId) => {
        expect(await store.findSession(asha, sessionId)).toBeUndefined();
        expect(await store.newestMessages(asha, sessionId, 10)).toEqual([]);
        expect(await store.addMessage(asha, sessionId, message('hi'))).toBe('absent');
        expect(await store.setFirstTitle(asha, sessionId, 'T', at(1))).toBe(false);
        expect(await store.changeSession(asha, sessionId, { title: 'T' })).toBeUndefined();
        expect(await store.deleteSession(asha, sessionId)).toBe(false);
      },
    );

    it('treats the session of another user as absent, and does not change it', async () => {
      const { sessionId } = await newSession(asha);
      await store.addMessage(asha, sessionId, message('private'));
      const before = await store.findSession(asha, sessionId);
      expect(await store.findSession(bo, sessionId)).toBeUndefined();
      expect(await store.newestMessages(bo, sessionId, 10)).toEqual([]);
      expect(await store.addMessage(bo, sessionId, message('intruding', { createdAt: at(60) }))).toBe('absent');
      expect(await store.setFirstTitle(bo, sessionId, 'Mine', at(60))).toBe(false);
      expect(await store.changeSession(bo, sessionId, { title: 'Mine', archivedAt: at(60) })).toBeUndefined();
      expect(await store.deleteSession(bo, sessionId)).toBe(false);
      expect(await store.listSessions(bo, { limit: 20, offset: 0 })).toEqual({ sessions: [], total: 0 });
      expect(await store.findSession(asha, sessionId)).toEqual(before);
      expect(await store.newestMessages(asha, sessionId, 10)).toHaveLength(1);
    });
  });
}
