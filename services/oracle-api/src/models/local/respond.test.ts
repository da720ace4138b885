import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelTool } from '../language-model.js';
import { respond } from './respond.js';

const tool = (name: string, properties: object = {}, required: string[] = []): ModelTool => ({
  name,
  description: name,
  schema: { type: 'object', properties, required },
});
const text = { type: 'string' };

const tools = [
  tool('set_user_preferences'),
  tool('remember', { content: text }, ['content']),
  tool('recall', { query: text }),
  tool('ask_before', { name: text }),
  tool('forget', { query: text }),
  tool('get_entity', { id: text }, ['id']),
  tool('list_entity_claims', { id: text, limit: { type: 'integer' } }, ['id']),
  tool('get_weather', { city: text, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } }, ['city']),
  tool('setVolume', { level: { type: 'integer' } }, ['level']),
  tool('plot', { values: { type: 'array', items: { type: 'number' } }, title: text }, ['values']),
  tool('Scroll to', { place: text }, ['place']),
];

const base = { oracleName: 'Jua', now: new Date(0) };
const user = (content: string): ModelMessage => ({ role: 'user', content });
const ask = (said: string, offered = tools) => respond({ ...base, messages: [user(said)], tools: offered });

/** The conversation after the result of a call. */
function after(said: string, output: unknown, offered = tools) {
  const step = ask(said, offered);
  if (step.kind !== 'call') throw new Error(step.text);
  const call = { id: 'c1', ...step.call };
  const messages: ModelMessage[] = [
    user(said),
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', toolCallId: 'c1', content: JSON.stringify(output) },
  ];
  const next = respond({ ...base, messages, tools: offered });
  return next.kind === 'say' ? next.text : next;
}

describe('the built-in model calls tools from plain sentences', () => {
  it.each([
    ['call me Alex', 'set_user_preferences', { userName: 'Alex' }],
    ['Please call me Doctor Who from now on.', 'set_user_preferences', { userName: 'Doctor Who' }],
    ['Call yourself Zuri!', 'set_user_preferences', { agentName: 'Zuri' }],
    ['answer in Swahili', 'set_user_preferences', { language: 'Swahili' }],
    ['Be more formal', 'set_user_preferences', { formality: 'formal' }],
    ['use a cheerful tone', 'set_user_preferences', { tone: 'cheerful' }],
    ['keep your answers short', 'set_user_preferences', { responseLength: 'short' }],
    ['use bullet points', 'set_user_preferences', { format: 'bullet points' }],
    ['From now on, end with a joke.', 'set_user_preferences', { customInstructions: 'end with a joke' }],
    ['remember that my goat is called Zuri', 'remember', { content: 'my goat is called Zuri' }],
    ['What do you remember about my goat?', 'recall', { query: 'my goat' }],
    ['what do you remember about me?', 'recall', {}],
    ['Always ask before pay', 'ask_before', { name: 'pay' }],
    ['From now on, ask me before you use vault__echo.', 'ask_before', { name: 'vault__echo' }],
    ['forget about my goat', 'forget', { query: 'my goat' }],
    ['look up entity did:ixo:entity:1a2b', 'get_entity', { id: 'did:ixo:entity:1a2b' }],
    ['Show me the claims of entity did:ixo:entity:1', undefined, undefined],
    ['list entity claims for did:ixo:entity:1, limit 5', 'list_entity_claims', { id: 'did:ixo:entity:1', limit: 5 }],
    ['What is the weather in Addis Ababa?', 'get_weather', { city: 'Addis Ababa' }],
    ['Weather: Nairobi', 'get_weather', { city: 'Nairobi' }],
    ['get_weather city=Nairobi unit=celsius', 'get_weather', { city: 'Nairobi', unit: 'celsius' }],
    ['set volume to 7', 'setVolume', { level: 7 }],
    ['plot 1, 2.5 and -3', 'plot', { values: [1, 2.5, -3] }],
    ['scroll to the prices', 'Scroll to', { place: 'prices' }],
    ['use the tool plot with {"values": [1]}', 'plot', { values: [1] }],
    ['Please call the tool "Plot".', 'plot', {}],
  ])('%s', (said, name, args) => {
    const step = ask(said);
    expect(step.kind === 'call' ? step.call : undefined).toEqual(name === undefined ? undefined : { name, args });
  });

  it('asks for required arguments that the sentence lacks', () => {
    expect(ask('set volume')).toEqual({ kind: 'say', text: 'To use setVolume I also need: level.' });
  });

  it.each(['use nothing', 'tell me about plot', 'What is my name?', 'Say call me Alex', 'hello', 'What is 2 + 2?'])(
    'calls no tool for: %s',
    (said) => expect(ask(said).kind).toBe('say'),
  );

  it('stores all of a long text that is to be remembered, and searches for no other tool in one', () => {
    const long = 'did:'.repeat(7_000);
    const step = ask(`Remember: ${long}`);
    expect(step).toMatchObject({ kind: 'say' });
    expect(ask(`Remember: ${long.slice(0, 10_000)}`)).toMatchObject({
      call: { args: { content: long.slice(0, 10_000) } },
    });
    expect(ask(`look up entity ${long}`).kind).toBe('say');
  });

  it('calls no tool that is not offered', () => {
    for (const said of ['call me Alex', 'remember that it rains', 'use plot']) expect(ask(said, []).kind).toBe('say');
  });
});

describe('the built-in model reports the result of a call', () => {
  it.each([
    ['call me Alex', {}, 'I will call you Alex from now on, in every conversation.'],
    ['remember that it rains', { id: '1' }, 'I will remember: "it rains"'],
    ['what do you remember about rain?', [{ content: 'it rains' }], 'I remember:\n- it rains'],
    ['what do you remember about rain?', [], 'I remember nothing about that.'],
    ['forget the rain', { forgotten: 'it rains' }, 'I have forgotten: "it rains"'],
    ['set volume to 7', { level: 7, room: 'hall' }, 'setVolume gave back {"level":7,"room":"hall"}'],
    [
      'set volume to 7',
      { log: 'x'.repeat(300), parts: [1] },
      `setVolume gave back:\nlog: ${'x'.repeat(300)}\nparts: [1]`,
    ],
    ['set volume to 7', { error: 'No tab is open.' }, 'setVolume did not work: No tab is open.'],
  ])('%s: %j', (said, output, told) => {
    expect(after(said, output)).toBe(told);
  });

  it('admits wishes that it cannot fulfil', () => {
    expect(after('answer in Swahili', {})).toContain('only writes English');
    expect(after('be formal', {})).toContain('cannot change how it writes');
  });

  it('admits it once, and then answers as usual', () => {
    const messages: ModelMessage[] = [
      user('set volume to 7'),
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'setVolume', args: { level: 7 } }] },
      { role: 'tool', toolCallId: 'c1', content: '1' },
      { role: 'assistant', content: 'setVolume gave back 1' },
      user('Hello'),
    ];
    const next = respond({ ...base, messages, tools });
    expect(next).toMatchObject({ kind: 'say', text: expect.stringContaining('Hello!') });
  });
});

describe('the built-in model finds tools on demand', () => {
  const lookUp = tool('look_up_token', { name: text }, ['name']);
  const own = [tool('list_capabilities'), tool('load_capability', { name: text }, ['name'])];
  const list = [
    { name: 'games', title: 'Games', summary: 'Plays chess.', whenToUse: 'the user is bored.', isLoaded: false },
    { name: 'chain', title: 'Chain', summary: 'Looks up tokens.', whenToUse: 'a token is named.', isLoaded: false },
  ];

  it('lists, loads a matching capability, calls it and reports the result', () => {
    const messages: ModelMessage[] = [user('look up the token CARBON')];
    const outputs: unknown[] = [list, { loaded: 'chain' }, { supply: 7 }];
    const called: string[] = [];
    const thought: string[] = [];
    let offered = own;
    for (const [at, output] of outputs.entries()) {
      const step = respond({ ...base, messages, tools: offered });
      if (step.kind !== 'call') throw new Error(step.text);
      called.push(`${step.call.name} ${JSON.stringify(step.call.args)}`);
      thought.push(step.why);
      messages.push({ role: 'assistant', content: '', toolCalls: [{ id: `c${at}`, ...step.call }] });
      messages.push({ role: 'tool', toolCallId: `c${at}`, content: JSON.stringify(output) });
      if (step.call.name === 'load_capability') offered = [...own, lookUp];
    }
    expect(called).toEqual([
      'list_capabilities {}',
      'load_capability {"name":"chain"}',
      'look_up_token {"name":"CARBON"}',
    ]);
    expect(thought).toEqual([
      'No rule of mine and no tool at hand answers this, so I look through what can be loaded.',
      'What is said of chain fits the message, so I load it.',
      'The message asks for what look_up_token does, so I call it.',
    ]);
    expect(respond({ ...base, messages, tools: offered })).toEqual({
      kind: 'say',
      text: 'look_up_token gave back {"supply":7}',
    });
  });

  it('admits that it does not know if no capability matches', () => {
    const messages: ModelMessage[] = [
      user('Who won in 1998?'),
      { role: 'assistant', content: '', toolCalls: [{ id: 'c0', name: 'list_capabilities', args: {} }] },
      { role: 'tool', toolCallId: 'c0', content: JSON.stringify(list) },
    ];
    const step = respond({ ...base, messages, tools: own });
    expect(step).toMatchObject({ kind: 'say', text: expect.stringContaining('I cannot answer that') });
  });
});

describe('any sentence', () => {
  it('gets the same step each time, and no error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (said) => {
        expect(ask(said)).toEqual(ask(said));
      }),
    );
  });
});

describe('a request for an object or a call', () => {
  const asked = (content: string, more: object) => respond({ ...base, messages: [user(content)], ...more });
  const tool = (name: string) => ({
    ...{ name, description: '' },
    schema: {
      type: 'object',
      properties: { by: { type: 'integer' }, of: { enum: ['page', 'map'] } },
      required: ['by', 'of'],
    },
  });

  it('returns the JSON object that the message contains and the schema requires', () => {
    const nested = { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] };
    const responseSchema = {
      ...{ type: 'object', required: ['city', 'rain', 'at', 'tags', 'none'] },
      properties: {
        ...{ city: { type: 'string' }, rain: { type: 'boolean' }, at: nested, tags: { type: 'array' } },
        none: { type: ['null', 'string'] },
      },
    };
    const said = asked('{"city":"Nairobi","rain":true}', { responseSchema });
    const object = { city: 'Nairobi', rain: true, at: { on: false }, tags: [], none: null };
    expect(said).toEqual({ kind: 'say', text: JSON.stringify(object) });
  });

  it('calls the required tool, with its required arguments', () => {
    const tools = [tool('pan'), tool('zoom')];
    const call = (toolChoice: unknown, content: string) => asked(content, { tools, toolChoice });
    expect(call({ name: 'pan' }, 'by: 3')).toMatchObject({ call: { name: 'pan', args: { by: 3, of: 'page' } } });
    expect(call('required', 'hello')).toMatchObject({ call: { name: 'zoom', args: { by: 0, of: 'page' } } });
    expect(call('required', 'use the tool pan with {"by":1,"of":"map"}')).toMatchObject({
      call: { name: 'pan', args: { by: 1, of: 'map' } },
    });
  });
});
