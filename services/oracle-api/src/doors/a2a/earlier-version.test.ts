import { A2AClient } from 'a2a-js-sdk-v03/client';
import { describe, expect, it } from 'vitest';
import { gate, scriptedModel } from '../../models/scripted-model.fixture.js';
import { type DoorOptions, openDoor } from '../open-door.fixture.js';

async function open(options: DoorOptions = {}) {
  const { base, fetchAs } = await openDoor('a2a', options);
  return async (letter: string) =>
    A2AClient.fromCardUrl(`${base}/.well-known/agent-card.json`, { fetchImpl: await fetchAs(letter) });
}

const said = (text: string, contextId?: string) => ({
  message: {
    kind: 'message' as const,
    messageId: crypto.randomUUID(),
    role: 'user' as const,
    parts: [{ kind: 'text' as const, text }],
    ...(contextId === undefined ? {} : { contextId }),
  },
});

async function sent(client: A2AClient, ...message: Parameters<typeof said>) {
  const reply = await client.sendMessage(said(...message));
  if (!('result' in reply) || reply.result.kind !== 'task') throw new Error(JSON.stringify(reply));
  return reply.result;
}

/** The text that a stream tells, and how it says that the task has ended. */
async function toldBy(stream: ReturnType<A2AClient['resubscribeTask']>, onText: (text: string) => void) {
  let text = '';
  let end: unknown[] = [];
  for await (const event of stream) {
    if (event.kind === 'status-update') end = [event.status.state, event.final];
    if (event.kind !== 'artifact-update') continue;
    const [part] = event.artifact.parts;
    if (part?.kind === 'text') text += part.text;
    onText(text);
  }
  return [text, ...end];
}

describe('a client of version 0.3', () => {
  it('sends messages, goes on in their context and reads tasks', async () => {
    const clientOf = await open();
    const client = await clientOf('a');
    expect(await client.getAgentCard()).toMatchObject({ name: 'Jua', protocolVersion: '0.3.0' });
    const task = await sent(client, 'say: hello');
    expect(task).toMatchObject({
      status: { state: 'completed' },
      artifacts: [{ parts: [{ kind: 'text', text: 'hello' }] }],
    });
    const next = await sent(client, 'what did I say first?', task.contextId);
    expect(next).toMatchObject({
      contextId: task.contextId,
      artifacts: [{ parts: [{ text: 'You wrote: "say: hello"' }] }],
    });
    expect(await client.getTask({ id: task.id })).toMatchObject({ result: { kind: 'task', id: task.id } });
    const juma = await clientOf('b');
    expect(await juma.getTask({ id: task.id })).toMatchObject({ error: { code: -32_001 } });
  });

  it('streams, and reads again from the beginning', async () => {
    const hold = gate();
    const { model } = scriptedModel(['Well, ', hold.opened, 'here it is.']);
    const client = await (await open({ model }))('a');
    let id = '';
    for await (const event of client.sendMessageStream(said('hi'))) {
      if (event.kind === 'task') ({ id } = event);
      if (event.kind === 'artifact-update') break;
    }
    const told = await toldBy(client.resubscribeTask({ id }), (text) => text === 'Well, ' && hold.open());
    expect(told).toEqual(['Well, here it is.', 'completed', true]);
    expect(await client.cancelTask({ id })).toMatchObject({ error: { code: -32_002 } });
  });

  it('stops a task that runs', async () => {
    const hold = gate();
    const { model } = scriptedModel(['Well, ', hold.opened, 'never said']);
    const client = await (await open({ model }))('a');
    const reply = await client.sendMessage({ ...said('hi'), configuration: { blocking: false } });
    if (!('result' in reply) || reply.result.kind !== 'task') throw new Error(JSON.stringify(reply));
    expect(reply.result.status.state).toBe('working');
    expect(await client.cancelTask({ id: reply.result.id })).toMatchObject({
      result: { status: { state: 'canceled' } },
    });
    hold.open();
  });
});
