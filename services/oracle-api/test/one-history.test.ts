import { SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { HttpAgent } from '@ag-ui/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { DefaultChatTransport, readUIMessageStream } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../src/create-test-oracle.js';
import { protocolNames } from '../src/protocols/names.js';

let oracle: TestOracle;
let user: TestUser;
let url: string;
beforeAll(async () => {
  oracle = await createTestOracle({ env: { DOORS: protocolNames.join(',') } });
  user = await oracle.newUser();
  url = await oracle.listen();
});
afterAll(() => oracle.close());

const authorization = () => user.headers['authorization'] ?? '';

/** Sends a message in a session through each protocol's own client, and returns the answer. */
const sendBy: Record<(typeof protocolNames)[number], (session: string, text: string) => Promise<string | undefined>> = {
  async openai(session, text) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: authorization().replace('Bearer ', '') });
    const messages = [{ role: 'user' as const, content: text }];
    const headers = { 'x-session-id': session };
    const { choices } = await client.chat.completions.create({ model: 'local', messages }, { headers });
    return choices[0]?.message.content ?? undefined;
  },
  async 'ai-sdk'(session, text) {
    const transport = new DefaultChatTransport({ api: `${url}/api/chat`, headers: { ...user.headers } });
    const messages = [{ id: '1', role: 'user' as const, parts: [{ type: 'text' as const, text }] }];
    const where = { chatId: session, messageId: undefined, abortSignal: undefined };
    const stream = await transport.sendMessages({ ...where, messages, trigger: 'submit-message' });
    let answer = '';
    for await (const { parts } of readUIMessageStream({ stream })) {
      answer = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    }
    return answer;
  },
  async mcp(session, message) {
    const requestInit = { headers: { authorization: authorization() } };
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as Transport);
    const { content } = await client.callTool({ name: 'ask', arguments: { message, session } });
    await client.close();
    return (content as { text: string }[])[0]?.text;
  },
  async 'ag-ui'(threadId, content) {
    const agent = new HttpAgent({ url: `${url}/ag-ui`, headers: { authorization: authorization() }, threadId });
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
    const [answer] = (await agent.runAgent()).newMessages;
    return typeof answer?.content === 'string' ? answer.content : undefined;
  },
  async a2a(contextId, text) {
    const fetchImpl: typeof fetch = (where, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', authorization());
      return fetch(where, { ...init, headers });
    };
    const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
    const client = await factory.createFromUrl(url);
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], contextId };
    const task = await client.sendMessage(SendMessageRequest.fromJSON({ message }));
    return 'artifacts' in task ? String(task.artifacts[0]?.parts[0]?.content?.value) : undefined;
  },
};

it.each(protocolNames)(
  'a conversation that is begun with %s continues over all other protocols',
  { timeout: 60_000 },
  async (first) => {
    const session = await user.openSession();
    expect(await sendBy[first](session, 'My name is Zuri.')).toContain('Zuri');
    const others = protocolNames.filter((name) => name !== first);
    for (const name of others) expect(await sendBy[name](session, 'What is my name?'), name).toContain('Zuri');
    expect(await user.say('What is my name?', session)).toContain('Zuri');
    const reply = await oracle.inject({ url: `/messages/${session}`, headers: user.headers });
    const messages = reply.json<{ messages: { type: string; content: string }[] }>().messages;
    const questions = messages.filter(({ type }) => type === 'human').map(({ content }) => content);
    expect(questions).toEqual(['My name is Zuri.', ...others.map(() => 'What is my name?'), 'What is my name?']);
    expect(messages).toHaveLength(questions.length * 2);
  },
);
