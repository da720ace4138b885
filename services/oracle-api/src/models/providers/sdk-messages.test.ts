import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelNotes } from '../language-model.js';
import { quoted } from '../untrusted-text.js';
import { sdkMessages } from './sdk-messages.js';
import { ToolNames } from './tool-names.js';

const names = new ToolNames([{ name: 'open page', description: 'Opens', schema: {} }]);
const sent = (messages: readonly ModelMessage[], notes?: ModelNotes) =>
  sdkMessages({ modelId: 'm', provider: 'openai-compatible', accepted: { seesImages: true }, messages, names, notes });

const user = (content: string): ModelMessage => ({ role: 'user', content });
const says = (content: string): ModelMessage => ({ role: 'assistant', content });
const result = (toolCallId: string, content = '1'): ModelMessage => ({
  role: 'tool',
  toolCallId,
  content,
  isOwn: true,
});
const calls = (...ids: string[]): ModelMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'open page', args: {} })),
});
const rolesOf = (messages: readonly { role: string }[]) => messages.map(({ role }) => role);
const idsOf = (messages: readonly { content: unknown }[]) =>
  messages.flatMap(({ content }) =>
    (Array.isArray(content) ? content : []).flatMap(({ toolCallId }: { toolCallId?: string }) => toolCallId ?? []),
  );

describe('roles', () => {
  it('alternate: neighbours of one role are one message', () => {
    expect(sent([user('One'), user('Two'), says('A'), says('B'), user('Three')])).toEqual([
      { role: 'user', content: 'One\n\nTwo' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      },
      { role: 'user', content: 'Three' },
    ]);
  });

  it('alternate with notes and with pictures', () => {
    const image = { kind: 'image' as const, filename: 'a.png', mediaType: 'image/png', bytes: new Uint8Array(1) };
    const messages = sent([user('One'), { ...user('Two'), files: [image] }], { text: 'Tea.', sources: [] });
    const text = expect.stringMatching(/\n\nOne\n\nTwo/);
    expect(messages).toMatchObject([{ role: 'user', content: [{ type: 'text', text }, { type: 'file' }] }]);
    const notes = quoted('notes on what was said before, in short', 'Tea.');
    expect(messages).toMatchObject([{ content: [{ text: expect.stringContaining(notes) }, {}] }]);
  });

  it('start with the user', () => {
    expect(rolesOf(sent([says('Welcome'), user('Hi')]))).toEqual(['user', 'assistant', 'user']);
    expect(rolesOf(sent([says('Welcome'), user('Hi')], { text: 'Tea.', sources: [] }))).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  it('have an assistant message between the results of tools and the next message of the user', () => {
    expect(rolesOf(sent([user('Go'), calls('a'), result('a'), user('And?')]))).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });
});

describe('calls and their results', () => {
  it('are adjacent: a result without its call is dropped, and a call without its result gets one', () => {
    const messages = sent([user('Go'), result('lost'), calls('a', 'b'), result('b', '2'), says('Done')]);
    expect(messages).toMatchObject([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: [{ toolName: 'open_page' }, { toolName: 'open_page' }] },
      {
        role: 'tool',
        content: [{ output: { value: 'No result of this call is known.' } }, { output: { value: '2' } }],
      },
      { role: 'assistant' },
    ]);
  });

  it('have ids of nine letters and digits, unique, and the same in all requests', () => {
    const history = [user('Go'), calls('3f1c-a', '3f1c-b'), result('3f1c-a'), result('3f1c-b'), says('Done')];
    const [one, two, ...results] = idsOf(sent(history));
    expect(one).toMatch(/^[a-z0-9]{9}$/);
    expect(two).not.toBe(one);
    expect(results).toEqual([one, two]);
    expect(idsOf(sent([...history, user('And?')]))).toEqual([one, two, one, two]);
  });

  it('of a client that reuses an id in each turn keep their own results', () => {
    const turn = (content: string) => [user('Go'), calls('call_0'), result('call_0', content), says('Done')];
    const results = sent([...turn('1'), ...turn('2')]).filter(({ role }) => role === 'tool');
    expect(results).toMatchObject([
      { content: [{ output: { value: '1' } }] },
      { content: [{ output: { value: '2' } }] },
    ]);
  });
});

describe('a message of this turn', () => {
  const signed = { anthropic: { signature: 's' } };
  const native = (modelId: string, ids: readonly string[]): ModelMessage => ({
    role: 'assistant',
    content: 'I open it.',
    toolCalls: ids.map((id) => ({ id: `own-${id}`, name: 'open page', args: { page: 1 }, nativeId: id })),
    native: {
      modelId,
      message: {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: signed },
          { type: 'text', text: '<think>Hm.</think>I open it.' },
          ...ids.map((id) => ({ type: 'tool-call' as const, toolCallId: id, toolName: 'x', input: {} })),
        ],
      },
    },
  });
  const results = (ids: readonly string[]) => ids.map((id) => result(`own-${id}`));
  const ids = ['functions.open:0', `call_1__thought__${'A'.repeat(5_000)}`];

  it('is sent back to its endpoint unchanged, with its ids, reasoning and signatures', () => {
    const messages = sent([user('Go'), native('m', ids), ...results(ids)]);
    expect(idsOf(messages)).toEqual([...ids, ...ids]);
    expect(messages[1]?.content).toMatchObject([
      { type: 'reasoning', text: 'Hm.', providerOptions: signed },
      { type: 'text', text: '<think>Hm.</think>I open it.' },
      { type: 'tool-call', toolName: 'open_page', input: { page: 1 } },
      { type: 'tool-call' },
    ]);
  });

  it('is sent to another endpoint without the parts that only its own endpoint can read', () => {
    const messages = sent([user('Go'), native('other', ids), ...results(ids)]);
    expect(messages[1]?.content).toMatchObject([{ type: 'text', text: 'I open it.' }, {}, {}]);
    for (const id of idsOf(messages)) expect(id).toMatch(/^[a-z0-9]{9}$/);
  });

  it('has an id of its own for each call if its endpoint reuses one', () => {
    const again = ['call_0'];
    const seen = idsOf(
      sent([user('Go'), native('m', again), ...results(again), native('m', again), ...results(again)]),
    );
    expect(seen[0]).toBe('call_0');
    expect(seen[1]).toBe('call_0');
    expect(seen[2]).not.toBe('call_0');
    expect(seen[3]).toBe(seen[2]);
  });

  it('has the text and the calls as plugins have changed them, after its reasoning', () => {
    const changed = { ...native('m', ids), content: 'I may not say it.' };
    const [first] = changed.toolCalls ?? [];
    const messages = sent([user('Go'), { ...changed, toolCalls: first ? [first] : [] }, ...results(ids.slice(0, 1))]);
    expect(messages[1]?.content).toMatchObject([
      { type: 'reasoning' },
      { type: 'text', text: 'I may not say it.' },
      { type: 'tool-call', toolCallId: 'functions.open:0' },
    ]);
    expect(messages[1]?.content).toHaveLength(3);
  });
});
