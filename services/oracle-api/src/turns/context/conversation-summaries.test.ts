import { describe, expect, it } from 'vitest';
import type { LanguageModel, ModelRequest } from '../../models/language-model.js';
import type { StoredMessage } from '../../store/conversation-store.js';
import { ConversationSummaries } from './conversation-summaries.js';

const place = { sessionId: 's-1', ownerDid: 'did:key:asha' };
const signal = new AbortController().signal;
const long = 'x'.repeat(700);

const turn = (count: number): StoredMessage[] =>
  (['human', 'ai'] as const).map((type) => ({
    messageId: `${count}-${type}`,
    turnId: `t-${count}`,
    type,
    content: `${count} ${type} ${long}`,
    createdAt: new Date(count),
  }));
const conversation = (turns: number) => Array.from({ length: turns }, (_, at) => turn(at + 1)).flat();

/** A model of 4,000 tokens, of which a conversation gets 2,000: about five turns of these. */
function start(answer: (request: ModelRequest) => string, contextTokens = 16_000) {
  const asked: ModelRequest[] = [];
  const errors: object[] = [];
  const small: LanguageModel = {
    id: 'small',
    label: 'Small',
    ...(contextTokens === 0 ? {} : { contextTokens }),
    async *stream(request) {
      asked.push(request);
      yield { type: 'text', delta: answer(request) };
    },
  };
  const log = { error: (fields: object) => errors.push(fields) };
  const summaries = new ConversationSummaries({ small, now: () => new Date(0), log });
  const model = { ...small, contextTokens: 4_000 };
  return { asked, errors, summaries, fit: (stored: StoredMessage[]) => summaries.fit(place, stored, model, signal) };
}

const idsOf = (stored: readonly StoredMessage[]) => stored.map(({ messageId }) => messageId);

describe('a conversation that outgrows its model', () => {
  it('is shown whole while it fits, and nobody is asked for a summary', async () => {
    const { fit, asked } = start(() => 'notes');
    expect(await fit(conversation(3))).toEqual({ kept: conversation(3) });
    expect(asked).toEqual([]);
  });

  it('is shown from a message of the user on, with what was before in short', async () => {
    const { fit, asked } = start(() => 'They like tea.');
    const { kept, summary } = await fit(conversation(8));
    expect(kept[0]?.type).toBe('human');
    expect(idsOf(kept).at(-1)).toBe('8-ai');
    expect(kept.length).toBeLessThan(10);
    expect(summary).toContain('They like tea.');
    expect(asked[0]?.messages[0]?.content).toContain('User: 1 human');
    expect(asked[0]?.userId).toBe(place.ownerDid);
  });

  it('goes on from its summary, and adds to it when it has grown again', async () => {
    const { fit, asked } = start(({ messages }) => `notes ${messages[0]?.content.includes('Notes so far') ? 2 : 1}`);
    const { kept } = await fit(conversation(8));
    const next = await fit(conversation(9));
    expect(asked).toHaveLength(1);
    expect(idsOf(next.kept)).toEqual([...idsOf(kept), '9-human', '9-ai']);
    expect(next.summary).toContain('notes 1');
    const later = await fit(conversation(14));
    expect(later.summary).toContain('notes 2');
    expect(asked[1]?.messages[0]?.content).not.toContain('User: 1 human');
  });

  it('is shown without a summary when that cannot be written, and the turn goes on', async () => {
    const { fit, errors } = start(() => {
      throw new Error('away');
    });
    const { kept, summary } = await fit(conversation(8));
    expect([kept.length > 0, summary, errors.length]).toEqual([true, undefined, 1]);
  });

  it('is not summarised by a model that has no window', async () => {
    const { fit, asked } = start(() => 'never', 0);
    expect((await fit(conversation(8))).summary).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('leaves nothing behind when its session is gone', async () => {
    const { fit, summaries, asked } = start(() => 'notes');
    await fit(conversation(8));
    summaries.forget(place.sessionId);
    await fit(conversation(8));
    expect(asked).toHaveLength(2);
  });
});
