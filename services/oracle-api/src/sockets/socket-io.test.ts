import { mintDelegation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { WebSocket } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { oracle } from '../../test/app.fixture.js';
import {
  authOf,
  closeClients,
  didOf,
  listening,
  type Service,
  type SocketAuth,
  sessionOf,
  socketIoClient,
} from './sockets.fixture.js';

let service: Service;
let asha: SocketAuth;
let sessionId: string;
beforeAll(async () => {
  service = await listening({
    poolLimits: { socketsPerUser: 4, sockets: 6 },
    limits: { events: { burst: 20, perSecond: 1 } },
  });
  asha = await authOf('a');
  sessionId = await sessionOf(service, asha);
});
afterEach(async () => {
  closeClients();
  await vi.waitFor(() => expect(service.deps.realtime.connectionLimit.taken).toBe(0));
});
afterAll(() => service.close());

const connect = (auth: SocketAuth = asha, session: string | undefined = sessionId) =>
  socketIoClient(service.base, session, auth);

describe('the handshake of a socket.io client', () => {
  it.each([['websocket'], ['polling']])(
    'is accepted over %s with connected, and the client is in the room',
    async (transport) => {
      const client = socketIoClient(service.base, sessionId, asha, { transports: [transport] });
      const connected = await client.next('connected');
      expect(connected).toEqual({ message: expect.any(String), sessionId, timestamp: expect.any(String) });
      expect(service.deps.realtime.hub.stats).toEqual({ activeSessions: 1, totalConnections: 1 });
    },
  );

  it('upgrades from polling to a WebSocket, next to the plain WebSocket endpoint', async () => {
    const client = socketIoClient(service.base, sessionId, asha, { transports: ['polling', 'websocket'] });
    await client.next('connected');
    await vi.waitFor(() => expect(client.socket.io.engine.transport.name).toBe('websocket'));
  });

  it('is accepted with only a delegation', async () => {
    const signer = signerFromSeed(Buffer.alloc(32, 'a'));
    const capabilities = [{ can: '*', with: 'ixo:oracle' }] as const;
    const ucanDelegation = await mintDelegation({ signer, audience: oracle.did, capabilities });
    await connect({ ucanDelegation }).next('connected');
  });

  it('without sessionId ends at once', async () => {
    const client = socketIoClient(service.base, undefined, asha);
    expect(await client.next('connect_error')).toEqual({ message: expect.stringContaining('sessionId') });
    expect(client.socket.connected).toBe(false);
  });

  it('without a valid UCAN ends at once, with the texts of HTTP', async () => {
    expect(await connect({}).next('connect_error')).toEqual({
      message: expect.stringMatching(/^Missing UCAN authentication: provide /),
    });
    expect(await connect({ invocation: 'AAAA' }).next('connect_error')).toEqual({ message: 'Invalid UCAN invocation' });
    const expired = await authOf('a', -10);
    expect(await connect(expired).next('connect_error')).toEqual({ message: 'Invalid UCAN invocation' });
  });

  it('closes the connection of a client that stays after a refusal', async () => {
    // A client of the transport layer only, which does not disconnect.
    const socket = new WebSocket(`${service.base.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
    const said: string[] = [];
    socket.addEventListener('message', ({ data }) => said.push(String(data)));
    socket.addEventListener('open', () => socket.send('40{}'));
    await new Promise((resolve) => socket.addEventListener('close', resolve));
    expect(said.at(-1)).toMatch(/^44\{"message":"Missing sessionId/);
  });

  it('refuses the session of another user like a missing one', async () => {
    const baraka = await authOf('b');
    const foreign = await connect(baraka).next('connect_error');
    const absent = await connect(baraka, 'no-such-session').next('connect_error');
    expect(foreign).toEqual({ message: 'Session not found' });
    expect(absent).toEqual(foreign);
  });

  it('ignores a DID in the query', async () => {
    const baraka = await authOf('b');
    const client = socketIoClient(service.base, sessionId, baraka, {
      query: { sessionId, did: didOf('a'), userDid: didOf('a') },
    });
    expect(await client.next('connect_error')).toEqual({ message: 'Session not found' });
  });

  it('is refused beyond the sockets of one user, and accepted after one has closed', async () => {
    const clients = [connect(), connect(), connect(), connect()];
    await Promise.all(clients.map((client) => client.next('connected')));
    const fifth = connect();
    await vi.waitFor(() => expect(fifth.received.length).toBeGreaterThan(0));
    expect(fifth.socket.connected).toBe(false);
    clients[0]?.socket.disconnect();
    await vi.waitFor(() => expect(service.deps.realtime.connectionLimit.taken).toBe(3));
    await connect().next('connected');
  });
});

describe('events of a client', () => {
  it('ping, status, subscribe and list-events are answered, to that client only', async () => {
    const [client, other] = [connect(), connect()];
    await Promise.all([client.next('connected'), other.next('connected')]);
    for (const event of ['ping', 'status', 'subscribe', 'list-events']) client.socket.emit(event);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(await client.next('pong')).toEqual({ timestamp, sessionId });
    expect(await client.next('status')).toEqual({
      connected: true,
      sessionId,
      activeSessions: 1,
      totalConnections: 2,
      timestamp,
    });
    expect(await client.next('subscribed')).toEqual({ sessionId, timestamp });
    const { clientEvents, serverEvents, ...rest } = await client.next('available-events');
    expect(rest).toEqual({ sessionId, timestamp });
    const known = [
      'auth',
      'ping',
      'status',
      'subscribe',
      'list-events',
      'tool_result',
      'action_call_result',
      'approval_result',
    ];
    expect(clientEvents).toEqual(known);
    expect(serverEvents).toEqual(expect.arrayContaining(['connected', 'tool_call', 'browser_tool_call', 'event']));
    expect(other.received.map(({ event }) => event)).toEqual(['connected']);
  });

  it('unknown events, including one called error, change nothing', async () => {
    const client = connect();
    await client.next('connected');
    client.socket.emit('error', { x: 1 });
    client.socket.emit('toString');
    client.socket.emit('__proto__', null);
    client.socket.emit('tool_result', 'garbage');
    client.socket.emit('tool_result', { toolCallId: 5 });
    client.socket.emit('ping');
    await client.next('pong');
  });

  it('a flood ends the connection', async () => {
    const client = connect();
    await client.next('connected');
    for (let count = 0; count < 30; count += 1) client.socket.emit('ping');
    expect(await client.next('disconnect')).toEqual({ reason: 'io server disconnect' });
    expect(client.received.filter(({ event }) => event === 'pong').length).toBeLessThanOrEqual(20);
  });

  it('a message beyond the limit, or invalid bytes, end the connection', async () => {
    const large = connect();
    await large.next('connected');
    large.socket.emit('tool_result', { toolCallId: 'x', result: 'x'.repeat(300_000) });
    await large.next('disconnect');
    const garbage = connect();
    await garbage.next('connected');
    garbage.socket.io.engine.write('9{{{');
    await garbage.next('disconnect');
  });
});

describe('origins', () => {
  it('of long polling get the CORS headers of HTTP', async () => {
    const poll = `${service.base}/socket.io/?EIO=4&transport=polling&sessionId=${sessionId}`;
    const reply = await fetch(poll, { headers: { origin: 'https://app.example' } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('named in the configuration may open sockets, and others may not', async () => {
    const strict = await listening({ corsOrigins: ['https://app.example'] });
    const session = await sessionOf(strict, asha);
    const from = (origin: string) => socketIoClient(strict.base, session, asha, { extraHeaders: { origin } });
    await from('https://app.example').next('connected');
    await from('https://evil.example').next('connect_error');
    closeClients();
    await strict.close();
  });
});
