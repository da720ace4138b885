import { SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { HttpAgent } from '@ag-ui/client';
import { createOpenAI } from '@ai-sdk/openai';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner } from '@openai/agents';
import { DefaultChatTransport, generateText, readUIMessageStream, type UIMessage } from 'ai';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { authOf } from '../sockets/sockets.fixture.js';
import { dataUrl, type FilesOracle, filesOracle, png, shapesOf } from './files-oracle.fixture.js';

// A client prints each failure to the console.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

const picture = [['image', 'image/png', png.toString('base64')]];
const url = dataUrl(png, 'image/png');

const clients: Readonly<Record<string, (oracle: FilesOracle) => Promise<unknown>>> = {
  openai: async (oracle) => {
    const client = new OpenAI(await placeOf(oracle));
    const content = [
      { type: 'text' as const, text: 'Look' },
      { type: 'image_url' as const, image_url: { url } },
    ];
    return client.chat.completions.create({ model: 'local', messages: [{ role: 'user', content }] });
  },
  'openai, responses': async (oracle) => {
    const client = new OpenAI(await placeOf(oracle));
    const content = [
      { type: 'input_text' as const, text: 'Look' },
      { type: 'input_image' as const, image_url: url, detail: 'auto' as const },
    ];
    return client.responses.create({ model: 'local', input: [{ role: 'user', content }] });
  },
  'createOpenAI of the AI SDK': async (oracle) => {
    const model = createOpenAI(await placeOf(oracle))('local');
    const content = [
      { type: 'text' as const, text: 'Look' },
      { type: 'file' as const, data: png, mediaType: 'image/png' },
    ];
    return generateText({ model, messages: [{ role: 'user', content }] });
  },
  '@openai/agents': async (oracle) => {
    const modelProvider = new OpenAIProvider({ ...(await placeOf(oracle)), useResponses: true });
    const runner = new Runner({ modelProvider, model: 'local', tracingDisabled: true });
    const content = [
      { type: 'input_text' as const, text: 'Look' },
      { type: 'input_image' as const, image: url },
    ];
    return runner.run(new Agent({ name: 'Helper' }), [{ role: 'user', content }]);
  },
  LangChain: async (oracle) => {
    const { baseURL, apiKey } = await placeOf(oracle);
    const model = new ChatOpenAI({ model: 'local', apiKey, configuration: { baseURL }, maxRetries: 0 });
    const content = [
      { type: 'text' as const, text: 'Look' },
      { type: 'image_url' as const, image_url: { url } },
    ];
    return model.invoke([new HumanMessage({ content })]);
  },
  'the transport of useChat': async (oracle) => {
    const transport = new DefaultChatTransport<UIMessage>({
      api: `${oracle.base}/api/chat`,
      headers: await oracle.headersOf('a'),
    });
    const parts: UIMessage['parts'] = [
      { type: 'text', text: 'Look' },
      { type: 'file', mediaType: 'image/png', filename: 'goat.png', url },
    ];
    const stream = await transport.sendMessages({
      chatId: 'chat-1',
      messages: [{ id: '1', role: 'user', parts }],
      trigger: 'submit-message',
      messageId: undefined,
      abortSignal: undefined,
    });
    let answer: UIMessage | undefined;
    for await (answer of readUIMessageStream({ stream }));
    return answer;
  },
  '@ag-ui/client': async (oracle) => {
    const { authorization } = await oracle.headersOf('a');
    const agent = new HttpAgent({ url: `${oracle.base}/ag-ui`, headers: { authorization }, threadId: 'thread-1' });
    const source = { type: 'data' as const, value: png.toString('base64'), mimeType: 'image/png' };
    const content = [
      { type: 'text' as const, text: 'Look' },
      { type: 'image' as const, source },
    ];
    agent.addMessage({ id: '1', role: 'user', content });
    return agent.runAgent();
  },
  '@a2a-js/sdk': async (oracle) => {
    const fetchImpl = await oracle.fetchAs('a');
    const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
    const client = await factory.createFromUrl(oracle.base);
    const parts = [{ text: 'Look' }, { raw: png.toString('base64'), mediaType: 'image/png', filename: 'goat.png' }];
    const message = { messageId: 'tea-1', role: 'ROLE_USER', parts };
    return client.sendMessage(SendMessageRequest.fromJSON({ message }));
  },
};

const doorOf: Readonly<Record<string, Parameters<typeof filesOracle>[0]>> = {
  'the transport of useChat': 'ai-sdk',
  '@ag-ui/client': 'ag-ui',
  '@a2a-js/sdk': 'a2a',
};

async function placeOf({ base }: FilesOracle) {
  return { baseURL: `${base}/v1`, apiKey: (await authOf('a')).invocation };
}

describe.each(Object.entries(clients))('a picture sent by %s', (name, send) => {
  const door = doorOf[name] ?? 'openai';

  it('reaches the model', async () => {
    const oracle = await filesOracle(door);
    await send(oracle);
    expect(shapesOf(oracle.received().last)).toEqual(picture);
    expect(oracle.requests.at(-1)?.messages.at(-1)?.content).toBe('Look');
  });

  it('is an error of the client with its place if the model accepts none', async () => {
    const oracle = await filesOracle(door, { seesImages: false });
    await expect(send(oracle)).rejects.toThrow(/\[1\].*cannot look at images/);
    expect(oracle.requests).toEqual([]);
  });
});

describe('the agent card', () => {
  it('lists the accepted media types', async () => {
    const card = async (oracle: FilesOracle) =>
      (await (await fetch(`${oracle.base}/.well-known/agent-card.json`)).json()) as { defaultInputModes: string[] };
    const sees = ['text/plain', 'image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'];
    expect((await card(await filesOracle('a2a'))).defaultInputModes).toEqual(sees);
    const blind = await card(await filesOracle('a2a', { seesImages: false }));
    expect(blind.defaultInputModes).toEqual(['text/plain', 'application/pdf']);
    expect((await card(await filesOracle('a2a', { isOff: true }))).defaultInputModes).toEqual(['text/plain']);
  });
});
