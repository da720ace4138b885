import { describe, expect, it } from 'vitest';
import { retryBeforeAnswer } from './fallback.js';
import type { LanguageModel, ModelPart } from './language-model.js';
import { ModelError } from './model-error.js';

const busy = (retryAfterMs?: number) => new ModelError('rate_limit', 'Busy', { retryable: true, retryAfterMs });
const request = { messages: [], oracleName: 'Jua', now: new Date(0) };

/** Each list is one attempt: pieces of text, or a failure. */
function start(...tries: (string | Error)[][]) {
  const waits: number[] = [];
  let asked = 0;
  let nowMs = 0;
  const model: LanguageModel = {
    id: 'm',
    label: 'M',
    async *stream(): AsyncIterable<ModelPart> {
      for (const step of tries[asked++] ?? []) {
        if (step instanceof Error) throw step;
        yield { type: 'text', delta: step };
      }
    },
  };
  const controller = new AbortController();
  const patient = retryBeforeAnswer(model, {
    attempts: 3,
    firstWaitMs: 100,
    longestWaitMs: 1_000,
    withinMs: 1_500,
    nowMs: () => nowMs,
    random: () => 1,
    sleep: async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
  });
  const read = async () => {
    let text = '';
    for await (const part of patient.stream(request, controller.signal)) text += part.type === 'text' ? part.delta : '';
    return text;
  };
  return { read, waits, controller, asked: () => asked };
}

describe('a model with retries', () => {
  it('is retried after each transient failure, with growing waits', async () => {
    const { read, waits } = start([busy()], [busy()], ['yes']);
    expect(await read()).toBe('yes');
    expect(waits).toEqual([100, 200]);
  });

  it('is abandoned after the last attempt, with its failure', async () => {
    const { read, asked } = start([busy()], [busy()], [busy()], ['never']);
    await expect(read()).rejects.toMatchObject({ kind: 'rate_limit' });
    expect(asked()).toBe(3);
  });

  it('is retried after the wait that its provider requires, unless that is too long', async () => {
    const { read, waits } = start([busy(700)], ['yes']);
    expect(await read()).toBe('yes');
    expect(waits).toEqual([700]);
    const slow = start([busy(60_000)], ['never']);
    await expect(slow.read()).rejects.toMatchObject({ kind: 'rate_limit', retryAfterMs: 60_000 });
    expect(slow.asked()).toBe(1);
  });

  it('is abandoned at the time limit, even if attempts are left', async () => {
    const { read, asked } = start([busy(900)], [busy(900)], ['never']);
    await expect(read()).rejects.toMatchObject({ kind: 'rate_limit' });
    expect(asked()).toBe(2);
  });

  it('is never retried after the first part of its answer', async () => {
    const { read, asked } = start(['half', busy()], ['never']);
    await expect(read()).rejects.toMatchObject({ kind: 'rate_limit' });
    expect(asked()).toBe(1);
  });

  it('is not retried after a permanent failure or an abort', async () => {
    const lasting = start([new ModelError('auth', 'No', { retryable: false })], ['never']);
    await expect(lasting.read()).rejects.toMatchObject({ kind: 'auth' });
    const aborted = start([busy()], ['never']);
    aborted.controller.abort();
    await expect(aborted.read()).rejects.toMatchObject({ kind: 'rate_limit' });
    expect([lasting.asked(), aborted.asked()]).toEqual([1, 1]);
  });
});
