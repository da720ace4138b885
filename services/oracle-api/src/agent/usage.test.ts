import { describe, expect, it } from 'vitest';
import type { LanguageModel, ModelPart } from '../models/language-model.js';
import { readText } from '../models/read-text.js';
import { countTokens } from './usage.js';

function setUp(parts: readonly ModelPart[], failure?: Error) {
  const counted: string[] = [];
  const count = countTokens({
    counter: () => ({
      inc: ({ model, direction, purpose }, tokens) => void counted.push(`${model} ${direction} ${purpose} ${tokens}`),
    }),
  });
  const model: LanguageModel = {
    id: 'small',
    label: 'Small',
    async *stream() {
      yield* parts;
      if (failure !== undefined) throw failure;
    },
  };
  const request = {
    messages: [{ role: 'user' as const, content: 'A title, please' }],
    oracleName: '',
    now: new Date(0),
  };
  const read = () => readText(count.upkeep(model), request, new AbortController().signal);
  return { counted, count, read };
}

const usage = { inputTokens: 11, outputTokens: 7 };

describe('the tokens of models', () => {
  it('are those of answers, as the turn reports them', async () => {
    const { count, counted } = setUp([]);
    const turn = { ownerDid: 'did:key:a', sessionId: 's', requestId: 'r', runId: 'x', part: 0, isEstimated: false };
    count.answer({ ...turn, ...usage, modelId: 'big' });
    expect(counted).toEqual(['big in answer 11', 'big out answer 7']);
  });

  it('of upkeep are counted separately: as reported by the model, or estimated', async () => {
    const exact = setUp([
      { type: 'text', delta: 'Trees' },
      { type: 'usage', usage },
    ]);
    expect(await exact.read()).toBe('Trees');
    expect(exact.counted).toEqual(['small in upkeep 11', 'small out upkeep 7']);
    const estimated = setUp([{ type: 'text', delta: 'Trees' }]);
    await estimated.read();
    expect(estimated.counted.map((line) => line.replace(/\d+$/, ''))).toEqual([
      'small in upkeep ',
      'small out upkeep ',
    ]);
  });

  it('include aborted requests, and no refused ones', async () => {
    const broken = setUp([{ type: 'text', delta: 'Tre' }], new Error('cut'));
    await expect(broken.read()).rejects.toThrow('cut');
    expect(broken.counted).toHaveLength(2);
    const refused = setUp([], new Error('refused'));
    await expect(refused.read()).rejects.toThrow('refused');
    expect(refused.counted).toEqual([]);
  });
});
