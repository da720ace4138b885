import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { branchInsteadOf } from './branches.js';
import type { ConversationStore } from './conversation-store.js';
import type { SummaryStore } from './summaries.js';

interface Opened {
  readonly conversations: ConversationStore;
  readonly summaries: SummaryStore;
}

const at = new Date(0);

/** Contract tests of branches for every adapter. */
export function branchesContract(name: string, open: () => Opened): void {
  async function talk() {
    const { conversations, summaries } = open();
    const [ownerDid, sessionId] = [`did:key:${randomUUID()}`, randomUUID()];
    await conversations.createSession(ownerDid, { sessionId, createdAt: at });
    const add = async (turnId: string, question: object = {}) => {
      const message = { turnId, content: turnId, createdAt: at };
      await conversations.addMessage(ownerDid, sessionId, {
        ...message,
        messageId: `${turnId}~q`,
        type: 'human',
        ...question,
      });
      await conversations.addMessage(ownerDid, sessionId, { ...message, messageId: turnId, type: 'ai' });
    };
    const question = async (turnId: string) => {
      const found = await conversations.findQuestion(ownerDid, sessionId, turnId);
      if (found === undefined) throw new Error(`no ${turnId}`);
      return found;
    };
    /** Adds a turn that replaces another one: an edited message, or a repeated answer. */
    const instead = async (of: string, id: string, isAgain = false) =>
      add(id, { branch: branchInsteadOf(await question(of), { id, isAgain }) });
    const turnsOf = (messages: readonly { turnId: string }[]) =>
      [...new Set(messages.map(({ turnId }) => turnId))].join(' ');
    const listed = async () => turnsOf(await conversations.newestMessages(ownerDid, sessionId, 100));
    const upTo = async (turnId: string) =>
      turnsOf(await conversations.messagesUpTo(ownerDid, sessionId, turnId, { limit: 100 }));
    const select = async (turnId: string) =>
      conversations.selectBranch(ownerDid, sessionId, (await question(turnId)).branch ?? null);
    const paged = async () => {
      const pages: string[] = [];
      for (let before: string | undefined; ; ) {
        const page = await conversations.pageOfTurns(ownerDid, sessionId, { limit: 1, before });
        if (page === 'unknown_cursor') throw new Error(page);
        pages.unshift(turnsOf(page.messages));
        before = page.olderCursor;
        if (before === undefined) return pages.join(' ');
      }
    };
    return { conversations, summaries, ownerDid, sessionId, add, question, instead, listed, upTo, select, paged };
  }
  type Talk = Awaited<ReturnType<typeof talk>>;
  const siblings = async ({ conversations, ownerDid, sessionId }: Talk) =>
    Object.fromEntries(await conversations.siblings(ownerDid, sessionId));

  describe(`${name} stores branches of conversations`, () => {
    it('without branches at first', async () => {
      const one = await talk();
      for (const turn of ['t1', 't2']) await one.add(turn);
      expect(await siblings(one)).toEqual({});
      expect((await one.question('t2')).branch).toBeUndefined();
      expect(await one.conversations.branchTips(one.ownerDid, one.sessionId)).toMatchObject([{ turnId: 't2' }]);
    });

    it('lists the selected branch, also in pages, and extends it; other branches are unchanged', async () => {
      const one = await talk();
      for (const turn of ['t1', 't2', 't3']) await one.add(turn);
      await one.instead('t2', 'u2');
      expect([await one.listed(), await one.paged()]).toEqual(['t1 u2', 't1 u2']);
      await one.add('u3');
      await one.instead('u3', 'v3', true);
      expect([await one.listed(), await one.paged()]).toEqual(['t1 u2 v3', 't1 u2 v3']);
      for (const [turn, whole] of Object.entries({ t3: 't1 t2 t3', u3: 't1 u2 u3', v3: 't1 u2 v3' })) {
        expect(await one.select(turn)).toBe(true);
        expect([await one.listed(), await one.paged(), await one.upTo(turn)]).toEqual([whole, whole, whole]);
      }
      await one.select('t3');
      await one.add('t4');
      expect([await one.listed(), await one.upTo('v3')]).toEqual(['t1 t2 t3 t4', 't1 u2 v3']);
      const tips = await one.conversations.branchTips(one.ownerDid, one.sessionId);
      expect(tips.map(({ turnId }) => turnId)).toEqual(['t4', 'v3', 'u3']);
    });

    it('from the first message, and from a replacement', async () => {
      const one = await talk();
      for (const turn of ['t1', 't2']) await one.add(turn);
      await one.instead('t1', 'u1');
      await one.instead('u1', 'v1');
      await one.add('v2');
      expect([await one.listed(), await one.upTo('t2'), await one.upTo('u1')]).toEqual(['v1 v2', 't1 t2', 'u1']);
      const all = (own: string) => expect.arrayContaining(['t1~q', 'u1~q', own]);
      expect(await siblings(one)).toEqual({ 't1~q': all('v1~q'), 'u1~q': all('v1~q'), 'v1~q': all('v1~q') });
    });

    it('separates versions of a message from answers to it, each in order', async () => {
      const one = await talk();
      await one.add('t1');
      await one.instead('t1', 'a1', true);
      await one.instead('t1', 'u1');
      await one.instead('u1', 'b1', true);
      await one.instead('a1', 'c1', true);
      expect(await siblings(one)).toEqual({
        t1: ['t1', 'a1', 'c1'],
        a1: ['t1', 'a1', 'c1'],
        c1: ['t1', 'a1', 'c1'],
        u1: ['u1', 'b1'],
        b1: ['u1', 'b1'],
        't1~q': ['t1~q', 'b1~q'],
        'a1~q': ['a1~q', 'b1~q'],
        'c1~q': ['c1~q', 'b1~q'],
        'u1~q': ['c1~q', 'u1~q'],
        'b1~q': ['c1~q', 'b1~q'],
      });
    });

    it('applies the branch to both sides of a cursor of another branch', async () => {
      const { conversations, ownerDid, sessionId, add, instead } = await talk();
      for (const turn of ['t1', 't2', 't3']) await add(turn);
      const page = await conversations.pageOfTurns(ownerDid, sessionId, { limit: 1 });
      const before = page === 'unknown_cursor' ? '' : page.olderCursor;
      await instead('t2', 'u2');
      const older = await conversations.pageOfTurns(ownerDid, sessionId, { limit: 9, before });
      expect(older).toMatchObject({ messages: [{ turnId: 't1' }, { turnId: 't1' }] });
    });

    it('stores an answer on the branch of its question, independent of the selection', async () => {
      const { conversations, ownerDid, sessionId, add, instead, select, listed, upTo } = await talk();
      await add('t1');
      const place = { turnId: 't2', createdAt: at };
      await conversations.addMessage(ownerDid, sessionId, { ...place, messageId: 'q', type: 'human', content: 'q' });
      await instead('t1', 'u1');
      await conversations.addMessage(ownerDid, sessionId, { ...place, messageId: 't2', type: 'ai', content: 'a' });
      expect([await listed(), await upTo('t2')]).toEqual(['u1', 't1 t2']);
      await select('t2');
      expect(await conversations.newestMessages(ownerDid, sessionId, 9)).toHaveLength(4);
    });

    it('restricts branches to the owner', async () => {
      const { conversations, sessionId, ownerDid, add, instead } = await talk();
      await add('t1');
      await instead('t1', 'u1');
      const bo = 'did:key:bo';
      expect(await conversations.findQuestion(bo, sessionId, 't1')).toBeUndefined();
      expect(await conversations.branchTips(bo, sessionId)).toEqual([]);
      expect(await conversations.siblings(bo, sessionId)).toEqual(new Map());
      expect(await conversations.selectBranch(bo, sessionId, null)).toBe(false);
      expect(await conversations.findSession(ownerDid, sessionId)).toMatchObject({ branch: { id: 'u1' } });
    });

    it('stores a summary per branch, and reads only summaries of earlier turns', async () => {
      const { summaries, ownerDid, sessionId, add, instead, question } = await talk();
      for (const turn of ['t1', 't2', 't3']) await add(turn);
      await instead('t3', 'u3');
      const { branch } = await question('u3');
      if (!branch) throw new Error('no branch');
      const keep = async (text: string, turn: string, of?: typeof branch) =>
        summaries.advance(ownerDid, sessionId, { text, sources: [], upTo: (await question(turn)).place }, at, of);
      const find = async (of?: typeof branch) => (await summaries.find(ownerDid, sessionId, of))?.text;
      await keep('t1', 't1');
      expect([await find(), await find(branch)]).toEqual(['t1', 't1']);
      await keep('t2', 't2');
      await keep('u1', 't1', branch);
      expect([await find(), await find(branch)]).toEqual(['t2', 't2']);
      await keep('t3', 't3');
      expect([await find(), await find(branch)]).toEqual(['t3', 'u1']);
      await keep('u3', 'u3', branch);
      await keep('late', 't1', branch);
      expect([await find(), await find(branch)]).toEqual(['t3', 'u3']);
    });
  });
}
