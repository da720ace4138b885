import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TurnEvent } from '../agent/turn-events.js';
import { localModel } from '../models/local/local-model.js';
import {
  authOf,
  closeClients,
  didOf,
  listening,
  plainClient,
  type Received,
  type Service,
  type SocketAuth,
  sessionOf,
  socketIoClient,
} from './sockets.fixture.js';

let service: Service;
let asha: SocketAuth;
let baraka: SocketAuth;
let sessionId: string;
beforeAll(async () => {
  service = await listening();
  [asha, baraka] = [await authOf('a'), await authOf('b')];
  sessionId = await sessionOf(service, asha);
});
afterEach(closeClients);
afterAll(() => service.close());

const at = () => ({ sessionId, requestId: 'r1' });
const tell = (event: TurnEvent, ownerDid = didOf('a')) =>
  service.deps.realtime.turnEvents.emit({ runId: 'run', ownerDid, ...at() }, event);
const timestamp = '2026-01-01T00:00:00.000Z';

/** Frames of one event that a client of the session receives. */
async function toldOf(event: TurnEvent): Promise<Received[]> {
  const client = socketIoClient(service.base, sessionId, asha);
  await client.next('connected');
  tell(event);
  client.socket.emit('ping');
  await client.next('pong');
  client.socket.disconnect();
  return client.received.filter(({ event: name }) => !['connected', 'pong', 'disconnect'].includes(name));
}

describe('an event of a turn', () => {
  it.each([
    ['tool_call', { toolName: 'x', args: { a: 1 }, status: 'done', eventId: 'e1', output: '{}' }],
    ['render_component', { componentName: 'Map', args: { a: 1 }, status: 'done', eventId: 'e1' }],
  ])('%s is sent bare and as event', async (event, fields) => {
    const data = { ...at(), ...fields };
    expect(await toldOf({ event, data } as TurnEvent)).toEqual([
      { event, data },
      { event: 'event', data: { eventName: event, payload: data } },
    ]);
  });

  it('message_cache_invalidation is sent bare, and as event with an empty session', async () => {
    const data = { ...at(), status: 'done' as const };
    expect(await toldOf({ event: 'message_cache_invalidation', data })).toEqual([
      { event: 'message_cache_invalidation', data },
      { event: 'event', data: { eventName: 'message_cache_invalidation', payload: { ...data, sessionId: '' } } },
    ]);
  });

  it('router_update is sent bare only', async () => {
    const data = { ...at(), step: 'memory' };
    expect(await toldOf({ event: 'router_update', data })).toEqual([{ event: 'router_update', data }]);
  });

  it.each([
    [{ event: 'message', data: { content: 'x', timestamp } }],
    [{ event: 'reasoning', data: { sessionId: 's', requestId: 'r', reasoning: 'x', isComplete: true, timestamp } }],
    [{ event: 'done', data: { runId: 'run', status: 'finished' } }],
    [
      {
        event: 'browser_tool_call',
        data: { sessionId: 's', requestId: 'r', toolCallId: 'c', toolName: 't', args: {} },
      },
    ],
  ] as [TurnEvent][])('%s is not sent to all sockets of a session', async (event) => {
    expect(await toldOf(event)).toEqual([]);
  });

  it('of a real turn reaches sockets of both protocols', async () => {
    const stock = socketIoClient(service.base, sessionId, asha);
    const plain = plainClient(service.base, sessionId, asha);
    await Promise.all([stock.next('connected'), plain.next('connected')]);
    const headers = { authorization: `Bearer ${asha.invocation}`, 'x-auth-type': 'ucan' };
    const payload = { message: 'hello' };
    const reply = await service.app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload });
    expect(reply.statusCode).toBe(200);
    for (const client of [stock, plain]) {
      expect(await client.next('message_cache_invalidation')).toMatchObject({ sessionId, status: 'done' });
    }
  });
});

describe('a message from another client', () => {
  const headersOf = ({ invocation }: SocketAuth) => ({ authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' });
  const send = (to: Service, session: string, message: string) =>
    to.app.inject({
      method: 'POST',
      url: `/messages/${session}`,
      headers: headersOf(asha),
      payload: { message, requestId: `to-${message.length}`, stream: true },
    });

  it('is announced on both socket protocols before its answer, with the data to show and join it', async () => {
    const [stock, plain] = [socketIoClient(service.base, sessionId, asha), plainClient(service.base, sessionId, asha)];
    const hers = socketIoClient(service.base, await sessionOf(service, asha), asha);
    await Promise.all([stock, plain, hers].map((client) => client.next('connected')));
    const reply = await send(service, sessionId, 'count to 3');
    for (const client of [stock, plain]) {
      const told = await client.next('run_status');
      expect(told).toEqual({
        sessionId,
        requestId: 'to-10',
        runId: reply.headers['x-run-id'],
        status: 'running',
        messageId: 'to-10~human',
        message: 'count to 3',
        timestamp: expect.any(String),
      });
      const { body } = await service.app.inject({ url: `/runs/${String(told['runId'])}`, headers: headersOf(asha) });
      expect(body).toBe(reply.body);
      expect(client.received.map(({ event }) => event).filter((event) => event !== 'connected')[0]).toBe('run_status');
    }
    expect(hers.received.map(({ event }) => event)).toEqual(['connected']);
  });

  it('is announced as queued if it waits for another, and again when it starts', async () => {
    const enqueueing = await listening({ onConflict: 'enqueue', model: localModel({ paceMs: 5 }) });
    const session = await sessionOf(enqueueing, asha);
    const client = plainClient(enqueueing.base, session, asha);
    await client.next('connected');
    const first = send(enqueueing, session, 'count to 20');
    await client.next('run_status');
    await Promise.all([first, send(enqueueing, session, 'hi')]);
    const told = client.received.filter(({ event }) => event === 'run_status').map(({ data }) => data);
    expect(told).toMatchObject([
      { message: 'count to 20', status: 'running' },
      { message: 'hi', status: 'queued' },
      { message: 'hi', status: 'running' },
    ]);
    expect(told[1]?.['runId']).toBe(told[2]?.['runId']);
    await enqueueing.close();
  });
});

describe('two users', () => {
  it('get no events of each other', async () => {
    const theirSession = await sessionOf(service, baraka);
    const hers = socketIoClient(service.base, sessionId, asha);
    const theirs = [
      socketIoClient(service.base, theirSession, baraka),
      plainClient(service.base, theirSession, baraka),
    ];
    await Promise.all([hers, ...theirs].map((client) => client.next('connected')));
    tell({ event: 'router_update', data: { ...at(), step: 'private' } });
    // A turn with the session of another owner reaches no socket.
    tell({ event: 'router_update', data: { ...at(), step: 'stolen' } }, didOf('b'));
    await hers.next('router_update');
    const call = { kind: 'browser_tool', toolCallId: 'c', toolName: 't', args: {} } as const;
    const foreign = { runId: 'run', ownerDid: didOf('b'), ...at() };
    const answer = await service.deps.realtime.calls.call(foreign, call, new AbortController().signal);
    expect(answer).toEqual({ ok: false, error: expect.stringContaining('no browser tab') });
    expect(hers.received.map(({ event }) => event)).toEqual(['connected', 'router_update']);
    for (const client of theirs) await vi.waitFor(() => expect(client.received).toHaveLength(1));
  });
});
