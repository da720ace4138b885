import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { creditAccount } from '@mlango/schemas/oracle-credits';
import { paymentRequired } from '@mlango/schemas/oracle-runs';
import {
  endPrograms,
  type ListeningProgram,
  runBuilt,
  startBuilt,
  startNodeProgram,
} from '@mlango/test-services/program';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeClients, socketIoClient } from '../src/sockets/sockets.fixture.js';
import { isRefusedWork, type PublishedClient, publishedClient, textOf } from './published-client.fixture.js';

const entity = 'did:ixo:entity:e0001';
const pageTool = {
  name: 'read_page',
  description: 'Reads a part of the page that the user looks at.',
  schema: { type: 'object', properties: { part: { type: 'string' } }, required: ['part'] },
};
const mapAction = {
  name: 'show_map',
  description: 'Shows a place on a map.',
  schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  hasRender: true,
};

const patient = { timeout: 20_000, interval: 50 };

/** Deployed programs, the built-in model and embedded stores: only loopback is used. */
describe('a new user with three programs, a token and plain sentences', { timeout: 120_000 }, () => {
  let dataDir: string;
  let env: Record<string, string>;
  let oracle: ListeningProgram;
  let token: string;
  let client: PublishedClient;

  const startOracle = async () => {
    oracle = await startBuilt('services/oracle-api/dist/main.js', env);
    client = publishedClient(oracle.address, { invocation: token }, isRefusedWork);
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'oracle-newcomer-'));
    const node = await startNodeProgram();
    const gateway = await startBuilt('services/proto-gateway/dist/main.js', { PORT: '0', GRPC_TARGETS: node.address });
    env = {
      PORT: '0',
      DATA_DIR: dataDir,
      LOCAL_MODEL_PACE_MS: '0',
      DRAIN_DELAY_MS: '0',
      PROTO_GATEWAY_URL: gateway.address,
      CREDITS: 'local',
    };
    const making = runBuilt('services/oracle-api/dist/dev-token.js', env);
    expect(await making.exit).toBe(0);
    token = making.output().trim();
    await startOracle();
  }, 180_000);
  afterEach(closeClients);
  afterAll(async () => {
    await endPrograms();
    await rm(dataDir, { recursive: true, force: true });
  });

  const send = (sessionId: string, message: string, more: object = {}) =>
    client.call<{ message: { content: string } }>('POST', `/messages/${sessionId}`, { message, ...more });
  /** In a new session by default. */
  const sendMessage = async (message: string, sessionId?: string) =>
    (await send(sessionId ?? (await client.newSession()), message)).message.content;

  async function openTab(sessionId: string) {
    const tab = socketIoClient(oracle.address, sessionId, { invocation: token });
    await tab.next('connected');
    return tab.socket;
  }

  it.each([false, true])(
    'gets a payment request before the first answer, with claim ids: stream %s',
    async (stream) => {
      const sessionId = await client.newSession();
      const refused = await client.reply('POST', `/messages/${sessionId}`, { message: 'Hello', stream });
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        402,
        expect.stringContaining('application/json'),
      ]);
      const { claims, outstandingClaims } = paymentRequired.parse(await refused.json());
      expect([claims.length, outstandingClaims]).toEqual([1, claims]);
      expect(await client.call('GET', `/messages/${sessionId}`)).toEqual({ messages: [] });
    },
  );

  it('gets an answer after a top-up', async () => {
    const sessionId = await client.newSession();
    const account = creditAccount.parse(await client.call('GET', '/credits'));
    expect(account).toMatchObject({ balance: 0, owed: 0, claims: [expect.any(String)] });
    const topUp = { topUpId: 'payment-1', did: account.did, tokens: 1_000_000 };
    expect(await client.call('POST', '/credits/top-ups', topUp)).toEqual({ balance: 1_000_000 });
    expect(await sendMessage('Hello', sessionId)).toContain('Hello! I am');
    await client.call('POST', '/credits/claims/process');
    await vi.waitFor(async () => {
      await client.call('POST', '/credits/claims/process');
      const { balance, claims } = creditAccount.parse(await client.call('GET', '/credits'));
      expect(balance).toBeLessThan(1_000_000);
      expect(claims).toEqual([]);
    }, patient);
  });

  it('has a new name from the next turn on, in another session, and after a restart', async () => {
    const sessionId = await client.newSession();
    expect(await sendMessage('Call me Alex', sessionId)).toContain('I will call you Alex');
    expect(await sendMessage('Hello', sessionId)).toContain('Hello, Alex!');
    expect(await sendMessage('Hello')).toContain('Hello, Alex!');
    expect(await client.call('GET', '/user-preferences')).toMatchObject({ userName: 'Alex' });
    expect(await oracle.end('SIGTERM')).toBe(0);
    await startOracle();
    expect(await sendMessage('Hello')).toContain('Hello, Alex!');
  });

  it('stores a memory, and recalls it in another session', async () => {
    expect(await sendMessage('Remember that my goat is called Zuri')).toContain('I will remember');
    expect(await sendMessage('What do you remember about my goat?')).toContain('my goat is called Zuri');
    expect(await client.call('GET', '/memories')).toMatchObject({
      memories: [expect.objectContaining({ content: 'my goat is called Zuri' })],
    });
  });

  it('looks up an entity of the chain', async () => {
    const sessionId = await client.newSession();
    expect(await sendMessage(`Look up entity ${entity}`, sessionId)).toContain(entity);
    const { messages } = await client.call<{ messages: unknown[] }>('GET', `/messages/${sessionId}`);
    expect(messages.at(-1)).toMatchObject({ toolCalls: [{ name: 'lookup_entity', status: 'done' }] });
    expect(await sendMessage('Look up entity did:ixo:entity:nope')).toContain(
      'The chain has no entity did:ixo:entity:nope.',
    );
  });

  it('has a tool called in the browser, and the answer contains its result', async () => {
    const sessionId = await client.newSession();
    const tab = await openTab(sessionId);
    const toolCalls: unknown[] = [];
    tab.on('browser_tool_call', ({ toolCallId, ...call }: { toolCallId: string }) => {
      toolCalls.push(call);
      tab.emit('tool_result', { toolCallId, result: { text: 'Prices of maize' } });
    });
    const { message } = await send(sessionId, 'Read the page: title', { tools: [pageTool] });
    expect(toolCalls).toMatchObject([{ sessionId, toolName: 'read_page', args: { part: 'title' } }]);
    expect(message.content).toContain('Prices of maize');
  });

  it('has an action called and rendered, while the answer streams', async () => {
    const sessionId = await client.newSession();
    const tab = await openTab(sessionId);
    tab.on('action_call', ({ toolCallId, args, status }: { toolCallId: string; args: unknown; status: string }) => {
      if (status === 'isRunning') tab.emit('action_call_result', { sessionId, toolCallId, result: { shown: args } });
    });
    const frames = await client.stream(sessionId, { message: 'Show the map of Mombasa', agActions: [mapAction] });
    const calls = frames.filter(({ event }) => event === 'action_call').map(({ data }) => data);
    expect(calls).toMatchObject([
      { toolName: 'show_map', args: { place: 'Mombasa' }, status: 'isRunning' },
      { toolName: 'show_map', status: 'done', output: '{"shown":{"place":"Mombasa"}}' },
    ]);
    expect(textOf(frames)).toContain('Mombasa');
    expect(frames.at(-1)).toMatchObject({ event: 'done', data: { status: 'finished' } });
  });
});
