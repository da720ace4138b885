import { describe, expect, it } from 'vitest';
import { retryBeforeAnswer, withFallback } from './fallback.js';
import type { LanguageModel, ModelPart } from './language-model.js';
import { ModelError } from './model-error.js';

const busy = new ModelError('rate_limit', 'busy', { retryable: true });

/** A model that yields these parts at each call, and throws the listed errors in their place. */
function model(id: string, ...steps: (ModelPart | Error)[]) {
  const asked: number[] = [];
  const one: LanguageModel = {
    id,
    label: id,
    async *stream() {
      asked.push(asked.length);
      for (const step of steps) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  };
  return { ...one, asked };
}

const text = (delta: string): ModelPart => ({ type: 'text', delta });
const request = { messages: [], oracleName: '', now: new Date(0) };

async function partsOf(asked: LanguageModel, signal = new AbortController().signal) {
  const parts: ModelPart[] = [];
  for await (const part of asked.stream(request, signal)) parts.push(part);
  return parts;
}

describe('a model with fallbacks', () => {
  it('is replaced by the next that answers, which is reported before the answer', async () => {
    const models = [model('a', busy), model('b', new Error('broken')), model('c', text('Hi'))] as const;
    expect(await partsOf(withFallback(models))).toEqual([
      {
        type: 'answering',
        modelId: 'c',
        failed: [
          { modelId: 'a', kind: 'rate_limit' },
          { modelId: 'b', kind: 'unknown' },
        ],
      },
      text('Hi'),
    ]);
  });

  it.each([
    ['text', text('Hi')],
    ['reasoning', { type: 'reasoning', delta: 'Hm' } as const],
    ['a call', { type: 'tool_call', call: { name: 'open', args: {} } } as const],
  ])('is not replaced after %s', async (_, part) => {
    const next = model('b', text('Hi'));
    await expect(partsOf(withFallback([model('a', part, busy), next]))).rejects.toBe(busy);
    expect(next.asked).toEqual([]);
  });

  it('is replaced when it yielded only token counts', async () => {
    const usage = { type: 'usage', usage: { inputTokens: 1, outputTokens: 0 } } as const;
    const parts = await partsOf(withFallback([model('a', usage, busy), model('b', text('Hi'))]));
    expect(parts.at(-1)).toEqual(text('Hi'));
  });

  it('is not replaced once the turn is stopped', async () => {
    const controller = new AbortController();
    controller.abort();
    const next = model('b', text('Hi'));
    await expect(partsOf(withFallback([model('a', busy), next]), controller.signal)).rejects.toBe(busy);
    expect(next.asked).toEqual([]);
  });

  it('fails as the last model does, after each retry has called all of them', async () => {
    const models = [model('a', new Error('broken')), model('b', busy)] as const;
    const retry = { attempts: 2, firstWaitMs: 0, longestWaitMs: 0, withinMs: 1_000 };
    const retried = retryBeforeAnswer(withFallback(models), {
      ...retry,
      nowMs: () => 0,
      sleep: async () => undefined,
      random: () => 0,
    });
    await expect(partsOf(retried)).rejects.toBe(busy);
    expect(models.map(({ asked }) => asked.length)).toEqual([2, 2]);
  });
});
