import { SendMessageRequest, type StreamResponse, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../models/model-error.js';
import { gate, scriptedModel } from '../../models/scripted-model.fixture.js';
import { type DoorOptions, openDoor } from '../open-protocol.fixture.js';

async function open(options: DoorOptions = {}) {
  const service = await openDoor('a2a', options);
  const clientOf = async (letter: string) => {
    const fetchImpl = await service.fetchAs(letter);
    const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
    return factory.createFromUrl(service.base);
  };
  return { ...service, clientOf };
}

const words = (text: string, place: { contextId?: string; taskId?: string } = {}) =>
  SendMessageRequest.fromJSON({
    message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...place },
  });

async function task(client: Client, ...said: Parameters<typeof words>) {
  const result = await client.sendMessage(words(...said));
  if (!('id' in result)) throw new Error('no task');
  const [part] = result.artifacts[0]?.parts ?? [];
  return { ...result, text: part?.content?.$case === 'text' ? part.content.value : undefined };
}

/** Collects the states, texts and results of a stream. */
async function told(stream: AsyncIterable<StreamResponse>, onEach: (text: string) => void = () => undefined) {
  const all: string[] = [];
  let text = '';
  let last: TaskState | undefined;
  for await (const { payload } of stream) {
    all.push(payload?.$case ?? '');
    if (payload?.$case === 'statusUpdate') last = payload.value.status?.state;
    if (payload?.$case !== 'artifactUpdate') continue;
    const content = payload.value.artifact?.parts[0]?.content;
    if (!payload.value.append) text = '';
    if (content?.$case === 'text') text += content.value;
    onEach(text);
  }
  return { kinds: all.filter((kind, at) => kind !== all[at - 1]), text, last };
}

describe('a task of A2A', () => {
  it('is found by the agent card, and is a run in a session that other APIs share', async () => {
    const { clientOf, listed, base } = await open();
    const client = await clientOf('a');
    expect(await client.getAgentCard()).toMatchObject({
      name: 'Jua',
      supportedInterfaces: ['1.0'].map((protocolVersion) => ({
        url: `${base}/a2a`,
        protocolBinding: 'JSONRPC',
        protocolVersion,
      })),
    });
    const first = await task(client, 'say: hello');
    expect([first.text, first.status?.state]).toEqual(['hello', TaskState.TASK_STATE_COMPLETED]);
    const { contextId } = first;
    const second = await told(client.sendMessageStream(words('remember that I like tea', { contextId })));
    expect(second.kinds).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);
    expect(second.last).toBe(TaskState.TASK_STATE_COMPLETED);
    const said = (await listed('a', contextId)).map(({ content }) => content);
    expect(said).toEqual(['say: hello', 'hello', 'remember that I like tea', second.text]);
    expect(await client.getTask({ id: first.id, tenant: '' })).toMatchObject({ id: first.id, contextId });
  });

  it('continues when its reader disconnects, and is resubscribed from its beginning', async () => {
    const hold = gate();
    const { clientOf } = await open({ model: scriptedModel(['Well, ', hold.opened, 'here it is.']).model });
    const client = await clientOf('a');
    let id = '';
    for await (const { payload } of client.sendMessageStream(words('hi'))) {
      if (payload?.$case === 'task') ({ id } = payload.value);
      if (payload?.$case === 'artifactUpdate') break;
    }
    const again = told(client.resubscribeTask({ id, tenant: '' }), (text) => {
      if (text === 'Well, ') hold.open();
    });
    expect(await again).toMatchObject({ text: 'Well, here it is.', last: TaskState.TASK_STATE_COMPLETED });
    await expect(told(client.resubscribeTask({ id, tenant: '' }))).rejects.toThrow('sends no more events');
  });

  it('is cancelled once, and the partial answer is stored', async () => {
    const hold = gate();
    const { clientOf } = await open({ model: scriptedModel(['Well, ', hold.opened, 'never said']).model });
    const client = await clientOf('a');
    const message = { ...words('hi'), configuration: { ...words('hi').configuration, returnImmediately: true } };
    const sent = await client.sendMessage(message as SendMessageRequest);
    const id = 'id' in sent ? sent.id : '';
    const reading = told(client.resubscribeTask({ id, tenant: '' }));
    expect((await client.cancelTask({ id, tenant: '', metadata: undefined })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    expect((await reading).last).toBe(TaskState.TASK_STATE_CANCELED);
    await vi.waitFor(async () => {
      await expect(client.cancelTask({ id, tenant: '', metadata: undefined })).rejects.toThrow('has ended');
    });
    hold.open();
  });

  it('belongs to its user', async () => {
    const { clientOf, listed } = await open();
    const { id, contextId } = await task(await clientOf('a'), 'say: secret');
    const juma = await clientOf('j');
    await expect(juma.getTask({ id, tenant: '' })).rejects.toThrow('Task not found');
    await expect(juma.cancelTask({ id, tenant: '', metadata: undefined })).rejects.toThrow('Task not found');
    await expect(told(juma.resubscribeTask({ id, tenant: '' }))).rejects.toThrow('Task not found');
    await expect(juma.sendMessage(words('hi', { contextId }))).rejects.toThrow('Session not found');
    await expect(juma.sendMessage(words('hi', { taskId: id }))).rejects.toThrow('Task not found');
    expect(await listed('a', contextId)).toHaveLength(2);
  });

  it('reports a failed model and unsupported input', async () => {
    const broken = new ModelError('server', 'The model is away.', { retryable: true });
    const { clientOf, base } = await open({ model: scriptedModel(['Well', broken]).model });
    const client = await clientOf('a');
    const failed = await task(client, 'hi');
    expect([failed.text, failed.status?.state]).toEqual(['Well', TaskState.TASK_STATE_FAILED]);
    expect(failed.status?.message?.parts).toMatchObject([{ content: { value: 'The model is away.' } }]);
    await expect(client.sendMessage(words(''))).rejects.toThrow('characters of text');
    await expect(client.sendMessage(words('hi', { taskId: failed.id }))).rejects.toThrow('has no pending call');
    const headers = { 'content-type': 'application/json' };
    const stranger = await fetch(`${base}/a2a`, { method: 'POST', headers, body: '{"jsonrpc":"2.0"}' });
    expect(stranger.status).toBe(401);
  });
});
