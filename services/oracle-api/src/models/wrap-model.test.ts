import { expect, it } from 'vitest';
import type { LanguageModel, ModelPart } from './language-model.js';
import { gate, scriptedModel } from './scripted-model.fixture.js';
import { type Wrap, wrapModel } from './wrap-model.js';

const request = { messages: [{ role: 'user' as const, content: 'hi' }], oracleName: 'Jua', now: new Date(0) };

async function textOf(model: LanguageModel, signal: AbortSignal): Promise<string> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, signal)) parts.push(part);
  return parts.map((part) => (part.type === 'text' ? part.delta : '')).join('');
}

it('wrappers of a model apply in one order, independent of the order of the options', async () => {
  const asked: string[] = [];
  const around =
    (name: string): Wrap =>
    (model) => ({
      ...model,
      stream: (...args) => {
        asked.push(name);
        return model.stream(...args);
      },
    });
  const [silence, retry, share, plugins, count] = ['silence', 'retry', 'share', 'plugins', 'count'].map(around);
  const model = wrapModel(scriptedModel(['ok']).model, { silence, retry, share, plugins, count, cutOffAtAbort: true });
  expect(await textOf(model, new AbortController().signal)).toBe('ok');
  expect(asked).toEqual(['count', 'plugins', 'share', 'retry', 'silence']);
});

it('a wrapped model yields no part after the abort, even if its wrapper continues', async () => {
  const stop = new AbortController();
  const plugins: Wrap = (model) => ({
    ...model,
    async *stream(...args) {
      yield* model.stream(...args);
      yield { type: 'text', delta: 'and on' };
    },
  });
  const { model } = scriptedModel(['part', gate().opened]);
  const said = textOf(wrapModel(model, { plugins, cutOffAtAbort: true }), stop.signal);
  setImmediate(() => stop.abort());
  expect(await said).toBe('part');
});
