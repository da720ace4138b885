import { AbstractChat, type ChatState, type ChatStatus, DefaultChatTransport, type UIMessage } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../models/model-error.js';
import { gate, scriptedModel } from '../../models/scripted-model.fixture.js';
import { type DoorOptions, openDoor } from '../open-protocol.fixture.js';

/** A chat like that of `useChat`, with its state in plain fields. */
class PlainChat extends AbstractChat<UIMessage> {}

class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready';
  error: Error | undefined;
  messages: UIMessage[] = [];
  pushMessage = (message: UIMessage) => void this.messages.push(message);
  popMessage = () => void this.messages.pop();
  replaceMessage = (at: number, message: UIMessage) => void this.messages.splice(at, 1, message);
  snapshot = <Value>(value: Value): Value => structuredClone(value);
}

async function open(options: DoorOptions = {}) {
  const service = await openDoor('ai-sdk', options);
  const chatOf = async (letter: string, id: string, messages: UIMessage[] = []) => {
    const headers = await service.headersOf(letter);
    const transport = new DefaultChatTransport<UIMessage>({ api: `${service.base}/api/chat`, headers });
    const state = new PlainState();
    state.messages = messages;
    return new PlainChat({ id, transport, state, onError: () => undefined });
  };
  const listed = async (letter: string, id: string) => (await service.listed(letter, id)).map(({ content }) => content);
  return { chatOf, listed };
}

const textOf = (message: UIMessage | undefined) =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('a chat of the AI SDK', () => {
  it('is streamed with its reasoning and tool calls, in a session that other APIs share', async () => {
    const { chatOf, listed } = await open();
    const chat = await chatOf('a', 'chat-1');
    await chat.sendMessage({ text: 'remember that I like tea' });
    const answer = chat.messages.at(-1);
    expect(chat.status).toBe('ready');
    expect(answer?.parts.map(({ type }) => type)).toEqual(['reasoning', 'dynamic-tool', 'text']);
    expect(answer?.parts[1]).toMatchObject({ toolName: 'remember', state: 'output-available' });
    await chat.sendMessage({ text: 'say: hello' });
    expect(textOf(chat.messages.at(-1))).toBe('hello');
    expect(await listed('a', 'chat-1')).toEqual(chat.messages.map(textOf));
  });

  it('is resumed from its beginning after a reload, and cannot be resumed after its end', async () => {
    const hold = gate();
    const { chatOf } = await open({ model: scriptedModel(['Well, ', hold.opened, 'here it is.']).model });
    const chat = await chatOf('a', 'chat-2');
    const sent = chat.sendMessage({ text: 'hi' });
    await vi.waitFor(() => expect(textOf(chat.messages.at(-1))).toBe('Well, '));
    await chat.stop();
    await sent;
    const again = await chatOf('a', 'chat-2', chat.messages.slice(0, 1));
    const resumed = again.resumeStream();
    await vi.waitFor(() => expect(textOf(again.messages.at(-1))).toBe('Well, '));
    hold.open();
    await resumed;
    expect(textOf(again.messages.at(-1))).toBe('Well, here it is.');
    await again.resumeStream();
    expect(again.messages).toHaveLength(2);
  });

  it('is reported as aborted if another client stopped it', async () => {
    const hold = gate();
    const service = await openDoor('ai-sdk', { model: scriptedModel(['Well, ', hold.opened, 'never said']).model });
    const headers = await service.headersOf('a');
    let stream: Promise<string> | undefined;
    const transport = new DefaultChatTransport<UIMessage>({
      api: `${service.base}/api/chat`,
      headers,
      prepareSendMessagesRequest: ({ id, messages }) => ({ body: { id, message: messages.at(-1), trigger: null } }),
      fetch: async (...request) => {
        const response = await fetch(...request);
        stream = response.clone().text();
        return response;
      },
    });
    const chat = new PlainChat({ id: 'chat of 1:2', transport, state: new PlainState() });
    const sent = chat.sendMessage({ text: 'hi' });
    await vi.waitFor(() => expect(textOf(chat.messages.at(-1))).toBe('Well, '));
    const { sessions } = await service.own<{ sessions: { sessionId: string }[] }>('a', '/sessions');
    await service.own('a', '/messages/abort', 'POST', { sessionId: sessions[0]?.sessionId });
    await sent;
    expect(chat.status).toBe('ready');
    expect(await stream).toMatch(/"type":"abort","reason":"aborted"\}\n\ndata: \[DONE\]\n\n$/);
    hold.open();
  });

  it('belongs to its user, also if another user has a chat of that id', async () => {
    const { chatOf, listed } = await open();
    await (await chatOf('a', 'chat-3')).sendMessage({ text: 'hi' });
    const foreign = await chatOf('j', 'chat-3');
    await foreign.resumeStream();
    expect([foreign.messages, await listed('j', 'chat-3')]).toEqual([[], []]);
    await foreign.sendMessage({ text: 'say: mine' });
    await foreign.sendMessage({ text: 'What did I say first?' });
    expect(foreign.messages.map(textOf)).toEqual([
      'say: mine',
      'mine',
      'What did I say first?',
      expect.stringContaining('say: mine'),
    ]);
    expect(await listed('a', 'chat-3')).toHaveLength(2);
  });

  it('reports a failed model, and regenerates the answer on request', async () => {
    const broken = new ModelError('server', 'The model is away.', { retryable: true });
    let isUnavailable = true;
    const { chatOf, listed } = await open({
      model: scriptedModel(() => (isUnavailable ? ['Well', broken] : ['Here.'])).model,
    });
    const chat = await chatOf('a', 'chat-4');
    await chat.sendMessage({ text: 'hi' });
    expect([chat.status, chat.error?.message]).toEqual(['error', 'The model is away.']);
    isUnavailable = false;
    await chat.regenerate();
    expect([chat.status, chat.messages.map(textOf)]).toEqual(['ready', ['hi', 'Here.']]);
    expect(await listed('a', 'chat-4')).toEqual(['hi', 'Here.']);
  });

  it('continues on the branch that the client shows, not on the selected one', async () => {
    const { chatOf, listed } = await open();
    const chat = await chatOf('a', 'chat-6');
    for (const text of ['say: one', 'say: two']) await chat.sendMessage({ text });
    const shown = structuredClone(chat.messages);
    await chat.regenerate({ messageId: shown[1]?.id ?? '' });
    expect(await listed('a', 'chat-6')).toEqual(['say: one', 'one']);
    const other = await chatOf('a', 'chat-6', shown);
    await other.sendMessage({ text: 'say: three', messageId: shown[2]?.id ?? '' });
    expect(await listed('a', 'chat-6')).toEqual(['say: one', 'one', 'say: three', 'three']);
  });

  it('refuses to replace a message that the session does not have', async () => {
    const { chatOf, listed } = await open();
    await (await chatOf('a', 'chat-5')).sendMessage({ text: 'say: one' });
    const said = (id: string, role: 'user' | 'assistant') => ({
      id,
      role,
      parts: [{ type: 'text' as const, text: id }],
    });
    const lost = await chatOf('a', 'chat-5', [said('1', 'user'), said('2', 'assistant'), said('3', 'user')]);
    await lost.sendMessage({ text: 'say: two', messageId: '3' });
    expect(lost.error?.message).toContain('Message not found');
    expect(await listed('a', 'chat-5')).toEqual(['say: one', 'one']);
  });
});
