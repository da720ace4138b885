import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../models/model-error.js';
import { gate, scriptedModel } from '../../models/scripted-model.fixture.js';
import { testTool } from '../../plugins/api/oracle-with.fixture.js';
import { testPlugin } from '../../plugins/api/plugin.fixture.js';
import { mcpService } from './mcp-client.fixture.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(options: Parameters<typeof mcpService>[0] = {}) {
  const service = await mcpService(options);
  closing.push(service.close);
  return service;
}

interface Listed {
  readonly messages: readonly { readonly content: string }[];
}
interface Result {
  readonly content: readonly { readonly text?: string }[];
  readonly structuredContent: { readonly session: string; readonly run: string; readonly id: string };
  readonly isError?: boolean;
}
const ask = (client: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['clientOf']>>) => ({
  call: async (name: string, args: object, options: object = {}) =>
    (await client.callTool({ name, arguments: { ...args } }, undefined, options)) as unknown as Result,
});

describe('the tool `ask`', () => {
  it('answers with progress, in a session that other APIs share', async () => {
    const { clientOf, ownOf } = await open();
    const asha = ask(await clientOf('a'));
    const heard: Progress[] = [];
    const first = await asha.call('ask', { message: 'My name is Asha.' });
    const { session } = first.structuredContent;
    const onprogress = (progress: Progress) => heard.push(progress);
    const answer = await asha.call('ask', { message: 'say: hello\u0000 there', session }, { onprogress });
    expect(answer.content).toEqual([{ type: 'text', text: 'hello there' }]);
    expect(heard.map(({ message }) => message).join('')).toBe('hello there');
    const grows = heard.map(({ progress }) => progress);
    expect(grows).toEqual([...new Set(grows)].toSorted((one, other) => one - other));
    const { messages } = await (await ownOf('a'))<Listed>(`/messages/${session}`);
    expect(messages.map(({ content }) => content)).toEqual([
      'My name is Asha.',
      first.content[0]?.text,
      'say: hello there',
      'hello there',
    ]);
  });

  it('stops if its client cancels the request, and the partial answer is stored', async () => {
    const hold = gate();
    const { clientOf, ownOf } = await open({ model: scriptedModel(['Well, ', hold.opened, 'never said']).model });
    const asha = ask(await clientOf('a'));
    const taken = new AbortController();
    const onprogress = ({ message }: Progress) => message === 'Well, ' && taken.abort('enough');
    const asked = asha.call('ask', { message: 'hi' }, { signal: taken.signal, onprogress });
    await expect(asked).rejects.toThrow('enough');
    const own = await ownOf('a');
    const { sessions } = await own<{ sessions: { sessionId: string }[] }>('/sessions');
    await vi.waitFor(async () => {
      const { run } = await own<{ run: { status: string } }>(`/sessions/${sessions[0]?.sessionId}/run`);
      expect(run.status).toBe('aborted');
    });
    const { messages } = await own<Listed>(`/messages/${sessions[0]?.sessionId}`);
    expect(messages.at(-1)?.content).toBe('Well, ');
    hold.open();
  });

  it('is read to its end on another connection if the first one breaks', async () => {
    const hold = gate();
    const { clientOf, app } = await open({ model: scriptedModel(['Well, ', hold.opened, 'here it is.']).model });
    const asha = ask(await clientOf('a'));
    const heard: (string | undefined)[] = [];
    const asked = asha.call('ask', { message: 'hi' }, { onprogress: (one: Progress) => heard.push(one.message) });
    await vi.waitFor(() => expect(heard).toEqual(['Well, ']));
    app.server.closeAllConnections();
    hold.open();
    expect((await asked).content).toEqual([{ type: 'text', text: 'Well, here it is.' }]);
    expect(heard.join('')).toBe('Well, here it is.');
  });

  it('has conversations and streams that belong to their user', async () => {
    const { clientOf, base } = await open();
    const answer = await ask(await clientOf('a')).call('ask', { message: 'say: secret' });
    const { session, run } = answer.structuredContent;
    const juma = await clientOf('j');
    await expect(ask(juma).call('ask', { message: 'say: hi', session })).rejects.toThrow('Session not found');
    const lastId = Buffer.from(JSON.stringify([run, 1, 0, null])).toString('base64url');
    const { authorization } = await headersOf(juma);
    const stream = await fetch(`${base}/mcp`, { headers: { authorization, 'last-event-id': lastId } });
    expect(stream.status).toBe(404);
  });

  it('reports a failed model and unsupported input', async () => {
    const broken = new ModelError('server', 'The model is away.', { retryable: true });
    const { clientOf } = await open({ model: scriptedModel(['Well', broken]).model });
    const asha = ask(await clientOf('a'));
    const failed = await asha.call('ask', { message: 'hi' });
    expect([failed.isError, failed.content[0]?.text]).toEqual([true, 'Well\n\nThe model is away.']);
    for (const message of ['', '\u0000']) {
      await expect(asha.call('ask', { message })).rejects.toMatchObject({ code: -32_602 });
    }
    await expect(asha.call('ask', { message: 'hi', model: 'none' })).rejects.toMatchObject({ code: -32_602 });
    await expect(asha.call('no_such_tool', {})).rejects.toMatchObject({ code: -32_602 });
  });
});

/** Headers that the client sends with each request. */
async function headersOf(client: object): Promise<{ authorization: string }> {
  const { transport } = client as { transport: { _requestInit: { headers: { authorization: string } } } };
  return transport._requestInit.headers;
}

describe('tools and resources that plugins offer', () => {
  it('are called by name and read by URI, separately for each user', async () => {
    const { clientOf, ownOf } = await open();
    const client = await clientOf('a');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['ask', 'remember', 'recall', 'forget']));
    expect(tools.map(({ name }) => name)).not.toContain('list_capabilities');
    expect(tools.find(({ name }) => name === 'recall')?.annotations).toEqual({ readOnlyHint: true });
    const kept = await ask(client).call('remember', { content: 'Asha likes tea' });
    expect(kept.structuredContent).toMatchObject({ remembered: 'Asha likes tea' });
    const uri = `memory:${kept.structuredContent.id}`;
    expect((await client.listResources()).resources).toMatchObject([{ uri, title: 'Asha likes tea' }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ uriTemplate: 'memory:{id}' }]);
    const [memory] = (await client.readResource({ uri })).contents;
    expect(JSON.parse(String((memory as { text: string }).text))).toMatchObject({ content: 'Asha likes tea' });
    const juma = await clientOf('j');
    expect((await juma.listResources()).resources).toEqual([]);
    await expect(juma.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
    // The sessions of the calls are deleted.
    const own = await ownOf('a');
    await vi.waitFor(async () => {
      const lists = await Promise.all([
        own<{ total: number }>('/sessions'),
        own<{ total: number }>('/sessions?archived=true'),
      ]);
      expect(lists.map(({ total }) => total)).toEqual([0, 0]);
    });
  });

  it('can be called also if the model has to load them first', async () => {
    const tool = { ...testTool('forecast', () => ({ rain: true })), isOffered: true };
    const manifest = { title: 'W', summary: 'S.', whenToUse: 'it rains.', visibility: 'on-demand' as const };
    const weather = testPlugin('weather', { manifest, getTools: () => [tool, testTool('hidden')] });
    const { clientOf } = await open({ plugins: [weather] });
    const client = await clientOf('a');
    expect((await ask(client).call('forecast', {})).structuredContent).toEqual({ rain: true });
    await expect(ask(client).call('hidden', {})).rejects.toThrow('There is no tool hidden');
  });

  it('report the errors of a call', async () => {
    const { clientOf } = await open();
    const result = await ask(await clientOf('a')).call('remember', { content: 5 });
    expect([result.isError, result.content[0]?.text]).toEqual([true, expect.stringContaining('do not fit')]);
  });
});

describe('a request without a token', () => {
  it('gets the address of the metadata that describe the authentication', async () => {
    const { base } = await open();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const refused = await fetch(`${base}/mcp`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.status).toBe(401);
    const [, where] = /^Bearer resource_metadata="(.*)"$/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    const metadata = await (await fetch(where ?? '')).json();
    expect(metadata).toMatchObject({ resource: `${base}/mcp`, ucan: { can: '*', with: 'ixo:oracle' } });
  });
});
