import { type CloseEvent, WebSocket } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  authOf,
  closeClients,
  didOf,
  listening,
  plainClient,
  type Service,
  type SocketAuth,
  sessionOf,
} from './sockets.fixture.js';

let service: Service;
let asha: SocketAuth;
let sessionId: string;
beforeAll(async () => {
  service = await listening({
    limits: { events: { burst: 20, perSecond: 1 } },
    sockets: { authTimeoutMs: 200, pingIntervalMs: 50, pingTimeoutMs: 1_000 },
  });
  asha = await authOf('a');
  sessionId = await sessionOf(service, asha);
});
afterEach(async () => {
  closeClients();
  await vi.waitFor(() => expect(service.deps.realtime.connectionLimit.taken).toBe(0));
});
afterAll(() => service.close());

const connect = (first: unknown = asha) => plainClient(service.base, sessionId, first);

describe('the handshake of a plain WebSocket', () => {
  it('is accepted with the auth object as its first frame', async () => {
    const client = connect();
    expect(await client.next('connected')).toEqual({
      message: expect.any(String),
      sessionId,
      timestamp: expect.any(String),
    });
  });

  it('is accepted with the auth event that renews it later', async () => {
    await connect({ event: 'auth', data: asha }).next('connected');
    expect((await connect({ event: 'auth', data: {} }).closed).code).toBe(4401);
    expect((await connect({ event: 'other', data: asha }).closed).code).toBe(4401);
  });

  it('is accepted with the headers of HTTP at the upgrade', async () => {
    const headers = { authorization: `Bearer ${asha.invocation}`, 'x-auth-type': 'ucan' };
    await plainClient(service.base, sessionId, undefined, headers).next('connected');
  });

  it('without sessionId, without a valid UCAN, or with a foreign session ends at once', async () => {
    const baraka = await authOf('b');
    const cases = [
      [plainClient(service.base, undefined, asha), 4400, /sessionId/],
      [connect({}), 4401, /^Missing UCAN authentication/],
      [connect({ invocation: 'AAAA' }), 4401, /^Invalid UCAN invocation$/],
      [connect('no json'), 4401, /^Missing UCAN authentication/],
      [connect(baraka), 4404, /^Session not found$/],
      [plainClient(service.base, 'absent', baraka), 4404, /^Session not found$/],
    ] as const;
    for (const [client, code, message] of cases) {
      expect((await client.closed).code).toBe(code);
      expect(client.received).toEqual([
        { event: 'connect_error', data: { code: expect.any(String), message: expect.stringMatching(message) } },
      ]);
    }
  });

  it.each([
    ['', 4400],
    ['?sessionId=', 4400],
    ['?session=x', 4400],
  ])('at /ws%s is refused at once, without tokens and without a wait for them', async (query, code) => {
    const patient = await listening({ sockets: { authTimeoutMs: 60_000 } });
    const socket = new WebSocket(`${patient.base.replace('http', 'ws')}/ws${query}`);
    const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve));
    expect((await closed).code).toBe(code);
    await patient.close();
  });

  it('without sessionId does not verify the tokens of the upgrade', async () => {
    const headers = { authorization: 'Bearer AAAA', 'x-auth-type': 'ucan' };
    expect((await plainClient(service.base, undefined, undefined, headers).closed).code).toBe(4400);
  });

  it('without tokens in time is refused', async () => {
    expect((await plainClient(service.base, sessionId).closed).code).toBe(4401);
  });

  it('that is refused and continues to send is terminated', async () => {
    const client = connect({});
    await client.next('connect_error');
    const timer = setInterval(() => {
      if (client.socket.readyState === client.socket.OPEN) client.send('ping');
    }, 5);
    await client.closed;
    clearInterval(timer);
    expect(client.received.map(({ event }) => event)).toEqual(['connect_error']);
    await vi.waitFor(() => expect(service.app.websocketServer.clients.size).toBe(0));
  });

  it('gets replies to events that it sent before its admission', async () => {
    const client = connect();
    client.socket.addEventListener('open', () => client.send('ping'));
    await client.next('pong');
    expect(client.received.map(({ event }) => event)).toEqual(['connected', 'pong']);
  });
});

describe('a plain WebSocket', () => {
  it('gets the events of its session, bare and wrapped', async () => {
    const client = connect();
    await client.next('connected');
    const data = { sessionId, requestId: 'r1', toolName: 'x', args: {}, status: 'isRunning' as const, eventId: 'e1' };
    emit({ event: 'tool_call', data });
    await client.next('event');
    expect(client.received.slice(1)).toEqual([
      { event: 'tool_call', data },
      { event: 'event', data: { eventName: 'tool_call', payload: data } },
    ]);
  });

  it('stays open while it answers pings', async () => {
    const client = connect();
    await client.next('connected');
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    client.send('ping');
    await client.next('pong');
  });

  it.each([
    ['invalid JSON', 'garbage', 1007],
    ['a frame without an event', '{"data":1}', 1007],
    ['an event name that is no string', '{"event":{}}', 1007],
    ['an oversized message', JSON.stringify({ event: 'ping', data: 'x'.repeat(300_000) }), 1009],
  ])('that sends %s is closed', async (_name, text, code) => {
    const client = connect();
    await client.next('connected');
    client.socket.send(text);
    expect((await client.closed).code).toBe(code);
  });

  it('that floods is closed', async () => {
    const client = connect();
    await client.next('connected');
    for (let count = 0; count < 30; count += 1) client.send('ping');
    expect(await client.closed).toEqual({ code: 1008, reason: 'flood' });
  });

  it('is closed with its session', async () => {
    const session = await sessionOf(service, asha);
    const client = plainClient(service.base, session, asha);
    await client.next('connected');
    const headers = { authorization: `Bearer ${asha.invocation}`, 'x-auth-type': 'ucan' };
    await service.app.inject({ method: 'DELETE', url: `/sessions/${session}`, headers });
    expect((await client.closed).code).toBe(4404);
  });
});

function emit(event: Parameters<Service['deps']['realtime']['turnEvents']['emit']>[1]) {
  const ownerDid = didOf('a');
  return service.deps.realtime.turnEvents.emit({ runId: 'run', ownerDid, sessionId, requestId: 'r1' }, event);
}
