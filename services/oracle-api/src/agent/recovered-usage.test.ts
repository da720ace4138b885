import { describe, expect, it } from 'vitest';
import { openTestStores } from '../../test/stores.fixture.js';
import { estimateRecoveredUsage, type PartialAnswer } from './recovered-usage.js';
import type { SuspendedRunState } from './turn-request.js';

const run = { runId: 'r', ownerDid: 'o', sessionId: 's', requestId: 'q' };
const nothing = { text: '', reasoning: '', calls: [] };
const pay = { id: 'a', plugin: 'bank', name: 'pay', args: { amount: 5 } };

async function left(behind: Partial<PartialAnswer>, { state, question = 'What is due?' }: Setting = {}) {
  const { conversations } = await openTestStores();
  const createdAt = new Date(0);
  await conversations.createSession('o', { sessionId: 's', createdAt });
  await conversations.addMessage('o', 's', {
    messageId: 'q~human',
    turnId: 'r',
    type: 'human',
    content: question,
    createdAt,
  });
  const models = { find: () => undefined };
  return estimateRecoveredUsage(
    run,
    { ...nothing, ...behind },
    { conversations, models, suspended: { find: async () => state } },
  );
}

interface Setting {
  readonly state?: SuspendedRunState;
  readonly question?: string;
}

describe('usage of a turn after a process crash', () => {
  it('includes its question, its text and reasoning, and its calls', async () => {
    const [answered, thoughtful, acting] = await Promise.all([
      left({ text: 'Five shillings.' }),
      left({ text: 'Five shillings.', reasoning: 'Let me look that up.' }),
      left({ calls: [pay] }),
    ]);
    const counts = { isEstimated: true, inputTokens: 4, outputTokens: 5 };
    expect(answered).toEqual({ ...run, part: 0, modelId: 'unknown', ...counts });
    expect(thoughtful?.outputTokens).toBeGreaterThan(5);
    expect(acting?.outputTokens).toBeGreaterThan(0);
  });

  it('is zero without output, and never above the context window', async () => {
    expect(await left({})).toBeUndefined();
    const turn = await left({ text: 'Long.' }, { question: 'word '.repeat(100_000) });
    expect(turn?.inputTokens).toBe(30_000);
  });

  it('of a resumed turn is the part since its suspension', async () => {
    const asked = { role: 'assistant', content: 'I shall pay.', toolCalls: [pay] } as const;
    const state: SuspendedRunState = { modelId: 'm', messages: [asked], steps: 1, pauses: 1 };
    expect(await left({ text: 'I shall pay.', reasoning: 'Hm.', calls: [pay] }, { state })).toBeUndefined();
    const turn = await left({ text: 'I shall pay.\n\nPaid.', reasoning: 'Hm.', calls: [pay] }, { state });
    expect(turn).toMatchObject({ part: 1, modelId: 'm', outputTokens: 2 });
  });

  it('does not include the approval notice', async () => {
    const asked = { role: 'assistant', content: 'I shall pay.', toolCalls: [pay] } as const;
    const text = 'I shall pay.\n\nThis waits for your approval.';
    const state: SuspendedRunState = { modelId: 'm', messages: [asked], saidChars: text.length, steps: 1, pauses: 1 };
    expect(await left({ text, calls: [pay] }, { state })).toBeUndefined();
    const turn = await left({ text: `${text}\n\nPaid.`, calls: [pay] }, { state });
    expect(turn).toMatchObject({ part: 1, outputTokens: 2 });
  });
});
