import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Branch } from './branches.js';
import type { ConversationStore } from './conversation-store.js';
import type { PreferencesStore } from './preferences.js';
import type { SummaryStore } from './summaries.js';
import type { TurnMemory } from './turn-memory.js';

interface Opened {
  readonly memory: TurnMemory;
  readonly conversations: ConversationStore;
  readonly summaries: SummaryStore;
  readonly preferences: PreferencesStore;
}

/** Contract tests for every adapter of the port. */
export function turnMemoryContract(name: string, open: () => Opened): void {
  describe(`${name} reads the context of a turn`, () => {
    let opened: Opened;
    let asha: string;
    let sessionId: string;
    beforeEach(async () => {
      opened = open();
      asha = `did:key:${randomUUID()}`;
      sessionId = randomUUID();
      await opened.conversations.createSession(asha, { sessionId, createdAt: new Date(0) });
    });
    const addQuestion = (turnId: string, branch?: Branch) =>
      opened.conversations.addMessage(asha, sessionId, {
        messageId: randomUUID(),
        turnId,
        type: 'human',
        content: `tea “日本” ${turnId}`,
        createdAt: new Date(7),
        ...(branch === undefined ? {} : { branch }),
      });
    const place = (more: object = {}) => ({
      ownerDid: asha,
      sessionId,
      runId: '3',
      roomId: undefined,
      branch: undefined,
      ...more,
    });

    it('with the same content as each store, up to the turn and the limit', async () => {
      for (const turnId of ['1', '2', '3', '4']) await addQuestion(turnId);
      const { messages: last } = await opened.memory.read(place(), 2);
      expect(last).toHaveLength(2);
      const { messages } = await opened.memory.read(place(), 100);
      expect(messages.map(({ turnId }) => turnId)).toEqual(['1', '2', '3']);
      await opened.summaries.advance(asha, sessionId, { text: 'a"\\', sources: ['x'], upTo: 1 }, new Date(0));
      expect((await opened.memory.read(place(), 2)).summary).toEqual({ text: 'a"\\', sources: ['x'], upTo: 1 });
    });

    it('with text, calls and attachments of each message', async () => {
      const toolCalls = [{ id: 'c', name: 'look', args: { at: 'tea' }, status: 'done' as const, output: '"hot"' }];
      const attachments = [{ eventId: '$1', filename: 'tea.png', mimetype: 'image/png' }];
      const answer = { turnId: '3', type: 'ai' as const, content: 'hot', toolCalls, attachments };
      await opened.conversations.addMessage(asha, sessionId, { ...answer, messageId: 'm', createdAt: new Date(7) });
      const [message] = (await opened.memory.read(place(), 1)).messages;
      expect(message).toMatchObject({ ...answer, place: expect.any(Number) });
    });

    it('with the preferences of the user overridden by those of the room', async () => {
      await addQuestion('3');
      const read = async (roomId?: string) => (await opened.memory.read(place({ roomId }), 2)).preferences?.found;
      const own = () => opened.preferences.find(asha);
      expect(await read()).toEqual(await own());
      await opened.preferences.merge(asha, { language: 'sw', tone: 'short' }, new Date(1_700_000_000_123));
      await opened.preferences.merge(asha, { language: 'fr' }, new Date(1_700_000_000_456), '!room');
      expect(await read()).toEqual(await own());
      expect(await read('!room')).toEqual(await opened.preferences.find(asha, '!room'));
      expect(await read('!other')).toEqual(await own());
    });

    it('with nothing of other users or deleted sessions', async () => {
      await addQuestion('3');
      const other = { ...place(), ownerDid: 'did:key:bo' };
      expect((await opened.memory.read(other, 9)).messages).toEqual([]);
      await opened.conversations.deleteSession(asha, sessionId);
      expect((await opened.memory.read(place(), 9)).messages).toEqual([]);
    });

    it('on a branch with the turns of that branch', async () => {
      await addQuestion('1');
      const [first] = await opened.conversations.messagesUpTo(asha, sessionId, '1', { limit: 1 });
      const branch: Branch = {
        id: randomUUID(),
        insteadOf: '2',
        path: [{ branch: null, before: (first?.place ?? 0) + 1 }],
      };
      await addQuestion('2');
      await addQuestion('3', branch);
      const { messages } = await opened.memory.read(place({ branch }), 9);
      expect(messages.map(({ turnId }) => turnId)).toEqual(['1', '3']);
    });
  });
}
