import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelPart } from '../language-model.js';
import { localModel } from './local-model.js';

const tools = [{ name: 'Plot', description: 'Plots', schema: {} }];

async function ask(messages: ModelMessage[]): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  const request = { messages, oracleName: 'Jua', now: new Date(0), tools };
  for await (const part of localModel({ paceMs: 0 }).stream(request, new AbortController().signal)) parts.push(part);
  return parts;
}
const user = (content: string): ModelMessage => ({ role: 'user', content });
const textOf = (parts: ModelPart[]) => parts.map((part) => (part.type === 'text' ? part.delta : '')).join('');

describe('the built-in model', () => {
  it.each([
    ['use plot', {}],
    ['Please call the tool "Plot".', {}],
    ['run the action Plot with {"x": [1, 2]}', { x: [1, 2] }],
    ['use Plot with {broken}', {}],
  ])('calls a declared tool by its name: %s', async (said, args) => {
    expect(await ask([user(said)])).toEqual([{ type: 'tool_call', call: { name: 'Plot', args } }]);
  });

  it.each(['use nothing', 'tell me about Plot', 'use'])('calls nothing for: %s', async (said) => {
    expect((await ask([user(said)])).every(({ type }) => type === 'text')).toBe(true);
  });

  it('says what the tool gave back, once', async () => {
    const call = { id: 'c1', name: 'Plot', args: {} };
    const after: ModelMessage[] = [
      user('use Plot'),
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'tool', toolCallId: 'c1', content: '{"error":"No tab is open."}' },
    ];
    expect(textOf(await ask(after))).toBe('Plot gave back {"error":"No tab is open."}');
    expect(textOf(await ask([...after, { role: 'assistant', content: 'So it is.' }, user('Hello')]))).toContain(
      'Hello',
    );
  });
});
