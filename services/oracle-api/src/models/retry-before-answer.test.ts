import { describe, expect, it } from 'vitest';
import { retryBeforeAnswer } from './fallback.js';
import type { LanguageModel, ModelPart } from './language-model.js';
import { ModelError } from './model-error.js';

const busy = (retryAfterMs?: number) => new ModelError('rate_limit', 'Busy', { retryable: true, retryAfterMs });
const request = { messages: [], oracleName: 'Jua', now: new Date(0) };

/** Each list is what one try does: pieces of text, or a failure. */
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

describe('a model that is asked again', () => {
  it('gets another try after each failure that may pass, and its waits grow', async () => {
    const { read, waits } = start([busy()], [busy()], ['yes']);
    expect(await read()).toBe('yes');
    expect(waits).toEqual([100, 200]);
  });

  it('is given up after the last try, with the failure of that one', async () => {
    const { read, asked } = start([busy()], [busy()], [busy()], ['never']);
    await expect(read()).rejects.toMatchObject({ kind: 'rate_limit' });
    expect(asked()).toBe(3);
  });

  it('is left alone for as long as its provider wants, unless that is too long', async () => {
    const { read, waits } = start([busy(700)], ['yes']);
    expect(await read()).toBe('yes');
    expect(waits).toEqual([700]);
    const slow = start([busy(60_000)], ['never']);
    await expect(slow.read()).rejects.toMatchObject({ kind: 'rate_limit', retryAfterMs: 60_000 });
    expect(slow.asked()).toBe(1);
  });

  it('is given up when its time is over, whatever tries are left', async () => {
    const { read, asked } = start([busy(900)], [busy(900)], ['never']);
    await expect(read()).rejects.toMatchObject({ kind: 'rate_limit' });
    expect(asked()).toBe(2);
  });

  it('is never asked again once it has said something', async () => {
    const { read, asked } = start(['half', busy()], ['never']);
    await expect(read()).rejects.toMatchObject({ kind: 'rate_limit' });
    expect(asked()).toBe(1);
  });

  it('is not asked again after a failure that stays, or an abort', async () => {
    const lasting = start([new ModelError('auth', 'No', { retryable: false })], ['never']);
    await expect(lasting.read()).rejects.toMatchObject({ kind: 'auth' });
    const aborted = start([busy()], ['never']);
    aborted.controller.abort();
    await expect(aborted.read()).rejects.toMatchObject({ kind: 'rate_limit' });
    expect([lasting.asked(), aborted.asked()]).toEqual([1, 1]);
  });
});
