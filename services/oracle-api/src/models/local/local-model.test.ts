import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelPart } from '../language-model.js';
import { localModel, words } from './local-model.js';

const request = (content: string) => ({
  messages: [{ role: 'user' as const, content }],
  oracleName: 'Jua',
  now: new Date(0),
});

const textOf = (part: ModelPart) => (part.type === 'text' ? part.delta : '');

async function collect(content: string, signal = new AbortController().signal): Promise<string[]> {
  const deltas: string[] = [];
  for await (const part of localModel({ paceMs: 0 }).stream(request(content), signal)) deltas.push(textOf(part));
  return deltas;
}

describe('the stream of the built-in model', () => {
  it('comes in small pieces that join to the answer', async () => {
    const deltas = await collect('count to 300');
    expect(deltas.length).toBe(300);
    expect(deltas.join('')).toMatch(/^1 2 3 .* 299 300$/);
  });

  it('cuts any text into pieces without losing a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        expect(words(text).join('')).toBe(text);
        expect(words(text).every((word) => word.length > 0)).toBe(true);
      }),
    );
  });

  it('explains a tool call before it, and emits no thinking before text', async () => {
    const plot = { name: 'plot', description: 'Plots', schema: {} };
    const partsOf = async (content: string) => {
      const asked = { ...request(content), tools: [plot] };
      const parts: ModelPart[] = [];
      for await (const part of localModel({ paceMs: 0 }).stream(asked, new AbortController().signal)) parts.push(part);
      return parts;
    };
    expect(await partsOf('Use the tool plot')).toEqual([
      { type: 'reasoning', delta: 'The message asks for what plot does, so I call it.' },
      { type: 'tool_call', call: { name: 'plot', args: {} } },
    ]);
    expect((await partsOf('Say plot')).map(({ type }) => type)).toEqual(['text']);
  });

  it('stops at the abort', async () => {
    const stop = new AbortController();
    const deltas: string[] = [];
    const reading = (async () => {
      for await (const part of localModel({ paceMs: 1 }).stream(request('count to 1000'), stop.signal)) {
        deltas.push(textOf(part));
        if (deltas.length === 3) stop.abort();
      }
    })();
    await expect(reading).rejects.toThrow();
    expect(deltas).toEqual(['1 ', '2 ', '3 ']);
  });
});
