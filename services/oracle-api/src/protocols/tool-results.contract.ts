import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ConversationStore } from '../store/conversation-store.js';

import { storeToolResults } from './tool-results.js';

/** Guarantees that `storeToolResults` needs from every conversation store. */
export function takeResultsContract(
  name: string,
  open: () => Pick<ConversationStore, 'createSession' | 'addMessage' | 'newestMessages' | 'replaceAnswer'>,
): void {
  describe(`results of client tool calls in ${name}`, () => {
    it('are accepted from one of two concurrent requests', async () => {
      const conversations = open();
      const [owner, sessionId, turnId] = [`did:key:${randomUUID()}`, randomUUID(), randomUUID()];
      const createdAt = new Date(0);
      await conversations.createSession(owner, { sessionId, createdAt });
      const toolCalls = [{ id: 'c-1', name: 'pay', args: { b: 1, a: [0.5, null, 'é\n'] }, status: 'handed' }];
      await conversations.addMessage(owner, sessionId, {
        messageId: randomUUID(),
        turnId,
        type: 'ai',
        content: '',
        createdAt,
        toolCalls,
      });
      const bothHaveRead = barrier(2);
      const store = {
        newestMessages: async (...args: Parameters<ConversationStore['newestMessages']>) => {
          const messages = await conversations.newestMessages(...args);
          await bothHaveRead();
          return messages;
        },
        replaceAnswer: conversations.replaceAnswer.bind(conversations),
      };
      const take = (output: string) =>
        storeToolResults({ conversations: store }, owner, sessionId, new Map([['c-1', output]]), 'messages');
      const outcomes = await Promise.allSettled([take('"first"'), take('"second"')]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'invalid_argument', message: expect.stringContaining('another request') },
      });
      const winner = outcomes[0]?.status === 'fulfilled' ? '"first"' : '"second"';
      const [answer] = await conversations.newestMessages(owner, sessionId, 1);
      expect(answer?.toolCalls).toMatchObject([{ status: 'done', output: winner }]);
    });
  });
}

/** Waits for this number of callers. */
function barrier(parties: number): () => Promise<void> {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting === parties) open();
    return opened;
  };
}
