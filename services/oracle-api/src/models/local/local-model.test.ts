import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelPart, ModelTool } from '../language-model.js';
import { localModel, words } from './local-model.js';
import { respond } from './respond.js';

const base = { oracleName: 'Jua', now: new Date('2026-11-20T11:05:00Z') };
const user = (content: string): ModelMessage => ({ role: 'user', content });
const text = { type: 'string' };

const tool = (name: string, properties: object = {}, required: string[] = []): ModelTool => ({
  name,
  description: name,
  schema: { type: 'object', properties, required },
});

const tools = [
  tool('set_user_preferences'),
  tool('remember', { content: text }, ['content']),
  tool('recall', { query: text }),
  tool('ask_before', { name: text }),
  tool('forget', { query: text }),
  tool('lookup_entity', { id: text }, ['id']),
  tool('get_token_parameters'),
  tool('get_weather', { city: text, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } }, ['city']),
  tool('setVolume', { level: { type: 'integer' } }, ['level']),
  tool('set_theme', { theme: { enum: ['light', 'dark'] } }, ['theme']),
  tool('pin_note', { text }, ['text']),
  tool('plot', { x: { type: 'number' } }),
];

const step = (message: string, offered = tools) => respond({ ...base, messages: [user(message)], tools: offered });

/** The answer to the last of these messages, without tools. */
function reply(...messages: string[]): string {
  const response = respond({ ...base, messages: messages.map(user) });
  return response.kind === 'text' ? response.text : '';
}

/** The answer after the result of the call that a message requests. */
function replyAfter(message: string, output: unknown): string {
  const first = step(message);
  if (first.kind !== 'call') throw new Error(first.text);
  const messages: ModelMessage[] = [
    user(message),
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', ...first.call }] },
    { role: 'tool', toolCallId: 'c1', content: JSON.stringify(output) },
  ];
  const next = respond({ ...base, messages, tools });
  return next.kind === 'text' ? next.text : '';
}

describe('the built-in model answers', () => {
  it.each([
    [['Hello'], 'Hello! I am Jua.'],
    [['my name is asha', 'hi there'], 'Hello, Asha!'],
    [['My name is Asha Mwangi and I like tea'], 'Asha Mwangi.'],
    [['My name is Asha', 'call me Bo', 'What is my name?'], 'Your name is Bo.'],
    [['What can you do?'], 'fixed rules'],
    [['who are you?'], 'I am Jua'],
    [['What time is it?'], '11:05 on Friday, 20 November 2026 (UTC)'],
    [['one', 'two', 'What did I say?'], 'You wrote: "two"'],
    [['one', 'two', 'What did I say first?'], 'You wrote: "one"'],
    [['Say good  morning\nall'], 'good  morning\nall'],
    [['count to 5'], '1 2 3 4 5'],
    [['What is 12 times 12?'], '12 times 12 = 144'],
    [['0.1 + 0.2'], '0.1 + 0.2 = 0.3'],
    [['1 / 0'], 'I cannot answer that'],
    [['Who won the cup in 1998?'], 'I cannot answer that'],
    [['a '.repeat(15_000)], 'I cannot answer that'],
  ])('%j', (messages, answer) => {
    expect(reply(...messages)).toContain(answer);
  });

  it('with the names that the user has chosen', () => {
    const named = { ...base, preferences: { userName: 'Alex', agentName: 'Zuri' }, messages: [user('hello')] };
    expect(respond(named)).toMatchObject({ text: expect.stringContaining('Hello, Alex! I am Zuri.') });
  });

  it('the same message alike, and without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (message) => {
        expect(step(message)).toEqual(step(message));
        expect(reply(message)).not.toBe('');
      }),
    );
  });
});

describe('the built-in model calls a tool', () => {
  it.each([
    ['use the tool plot with {"x": 1}', 'plot', { x: 1 }],
    ['Please call the tool "Plot".', 'plot', {}],
    ['call me Alex', 'set_user_preferences', { userName: 'Alex' }],
    ['Call yourself Zuri!', 'set_user_preferences', { agentName: 'Zuri' }],
    ['remember that my goat is called Zuri', 'remember', { content: 'my goat is called Zuri' }],
    ['What do you remember about my goat?', 'recall', { query: 'my goat' }],
    ['what do you remember?', 'recall', {}],
    ['forget about my goat', 'forget', { query: 'my goat' }],
    ['Always ask before pay', 'ask_before', { name: 'pay' }],
    ['look up entity did:ixo:entity:1a2b', 'lookup_entity', { id: 'did:ixo:entity:1a2b' }],
    ['What are the token parameters?', 'get_token_parameters', {}],
    ['What is the weather in Addis Ababa?', 'get_weather', { city: 'Addis Ababa' }],
    ['Weather: Nairobi', 'get_weather', { city: 'Nairobi' }],
    ['set volume to 7', 'setVolume', { level: 7 }],
    ['Set the theme to dark', 'set_theme', { theme: 'dark' }],
    ['Pin note "water the mangoes"', 'pin_note', { text: 'water the mangoes' }],
  ])('%s', (message, name, args) => {
    expect(step(message)).toMatchObject({ kind: 'call', call: { name, args } });
  });

  it.each(['set volume', 'tell me about plot', 'Say call me Alex', 'hello'])('never for: %s', (message) => {
    expect(step(message).kind).toBe('text');
  });

  it('only if it is offered', () => {
    for (const message of ['remember that it rains', 'use plot']) expect(step(message, []).kind).toBe('text');
  });

  it.each([
    ['call me Alex', {}, 'I will call you Alex from now on, in every conversation.'],
    ['remember that it rains', { id: '1' }, 'I will remember: "it rains"'],
    ['what do you remember about rain?', [{ content: 'it rains' }], 'I remember:\n- it rains'],
    ['what do you remember about rain?', [], 'I remember nothing about that.'],
    ['forget the rain', { forgotten: 'it rains' }, 'I have forgotten: "it rains"'],
    ['set volume to 7', { level: 7, room: 'hall' }, 'setVolume gave back {"level":7,"room":"hall"}'],
    ['set volume to 7', { error: 'No tab is open.' }, 'setVolume did not work: No tab is open.'],
  ])('and reports its result: %s, %j', (message, output, answer) => {
    expect(replyAfter(message, output)).toBe(answer);
  });
});

describe('the built-in model follows a schema', () => {
  const asked = (message: string, more: object) => respond({ ...base, messages: [user(message)], ...more });

  it('with the fields of the message and the smallest values of the others', () => {
    const nested = { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] };
    const responseSchema = {
      type: 'object',
      required: ['city', 'rain', 'at', 'tags', 'none'],
      properties: {
        city: { type: 'string' },
        rain: { type: 'boolean' },
        at: nested,
        tags: { type: 'array' },
        none: { type: ['null', 'string'] },
      },
    };
    const object = { city: 'Nairobi', rain: true, at: { on: false }, tags: [], none: null };
    expect(asked('{"city":"Nairobi","rain":true}', { responseSchema })).toEqual({
      kind: 'text',
      text: JSON.stringify(object),
    });
  });

  it('and calls the required tool with its required arguments', () => {
    const properties = { by: { type: 'integer' }, of: { enum: ['page', 'map'] } };
    const offered = ['pan', 'zoom'].map((name) => tool(name, properties, ['by', 'of']));
    const call = (toolChoice: unknown, message: string) => asked(message, { tools: offered, toolChoice });
    expect(call({ name: 'pan' }, 'by: 3')).toMatchObject({ call: { name: 'pan', args: { by: 3, of: 'page' } } });
    expect(call('required', 'hello')).toMatchObject({ call: { name: 'zoom', args: { by: 0, of: 'page' } } });
    expect(call('required', 'use the tool pan with {"by":1,"of":"map"}')).toMatchObject({
      call: { name: 'pan', args: { by: 1, of: 'map' } },
    });
  });
});

describe('the stream of the built-in model', () => {
  async function partsOf(message: string, signal = new AbortController().signal, paceMs = 0) {
    const parts: ModelPart[] = [];
    for await (const part of localModel({ paceMs }).stream({ ...base, messages: [user(message)], tools }, signal)) {
      parts.push(part);
    }
    return parts;
  }

  it('cuts any text into words without losing a character', () => {
    expect(words('1 2 3')).toEqual(['1 ', '2 ', '3']);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (any) => {
        expect(words(any).join('')).toBe(any);
      }),
    );
  });

  it('gives the reason of a tool call before it, and no reasoning before text', async () => {
    expect(await partsOf('Use the tool plot')).toEqual([
      { type: 'reasoning', delta: 'The message asks for what plot does, so I call it.' },
      { type: 'tool_call', call: { name: 'plot', args: {} } },
    ]);
    expect(await partsOf('Say plot')).toEqual([{ type: 'text', delta: 'plot' }]);
  });

  it('stops at the abort', async () => {
    const abort = new AbortController();
    const parts: ModelPart[] = [];
    const reading = (async () => {
      const request = { ...base, messages: [user('count to 1000')] };
      for await (const part of localModel({ paceMs: 1 }).stream(request, abort.signal)) {
        parts.push(part);
        if (parts.length === 3) abort.abort();
      }
    })();
    await expect(reading).rejects.toThrow();
    expect(parts).toEqual(['1 ', '2 ', '3 '].map((delta) => ({ type: 'text', delta })));
  });
});
