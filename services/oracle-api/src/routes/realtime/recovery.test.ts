import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { oracle } from '../../app.fixture.js';
import { MemoryRecoveryTickets } from '../../realtime/memory-recovery-tickets.js';
import { brokenNetwork } from './broken-network.fixture.js';
import {
  authOf,
  browserCall,
  closeClients,
  didOf,
  listening,
  type Service,
  type SocketAuth,
  sessionOf,
  socketIoClient,
} from './sockets.fixture.js';

const hourMs = 3_600_000;
/** How far the clock that tokens are judged by is ahead, and the one of recovery. */
let tokensAheadMs = 0;
let ticketsAheadMs = 0;

let service: Service;
let asha: SocketAuth;
let sessionId: string;
beforeAll(async () => {
  const auth = createUcanAuth({ audiences: [oracle.did], now: () => Math.floor((Date.now() + tokensAheadMs) / 1000) });
  service = await listening({ auth, tickets: new MemoryRecoveryTickets(() => Date.now() + ticketsAheadMs) });
});
beforeEach(async () => {
  tokensAheadMs = 0;
  ticketsAheadMs = 0;
  asha = await authOf('a');
  sessionId = await sessionOf(service, asha);
});
afterEach(async () => {
  closeClients();
  await vi.waitFor(() => expect(service.deps.realtime.seats.taken).toBe(0));
});
afterAll(() => service.close());

const place = () => ({ runId: 'run', ownerDid: didOf('a'), sessionId, requestId: 'r1' });
const route = (step: string) =>
  service.deps.realtime.turnEvents.emit(place(), {
    event: 'router_update',
    data: { sessionId, requestId: 'r1', step },
  });

async function connected(base = service.base) {
  const client = socketIoClient(base, sessionId, asha, { reconnection: true });
  await client.next('connected');
  return client;
}

const steps = (client: ReturnType<typeof socketIoClient>) =>
  client.received.filter(({ event }) => event === 'router_update').map(({ data }) => data['step']);

describe('a client that only lost its network for a moment', () => {
  it('is back with an expired handshake token, as the same socket, and is told once what it missed', async () => {
    const client = await connected();
    await route('one');
    await client.next('router_update');
    const { id } = client.socket;
    client.socket.io.reconnectionDelay(300);
    client.socket.io.engine.close();
    await client.next('disconnect');
    tokensAheadMs = hourMs;
    await route('two');
    await route('three');
    await vi.waitFor(() => expect(steps(client)).toEqual(['one', 'two', 'three']), { timeout: 4_000 });
    await route('four');
    await vi.waitFor(() => expect(steps(client)).toEqual(['one', 'two', 'three', 'four']));
    expect(client.socket.recovered).toBe(true);
    expect(client.socket.id).toBe(id);
    expect(client.received.filter(({ event }) => event === 'connect_error')).toEqual([]);
  });

  it('is back before the service has noticed that it was gone', async () => {
    const network = await brokenNetwork(service.base);
    const client = await connected(network.base);
    tokensAheadMs = hourMs;
    network.cut();
    await client.next('disconnect');
    await vi.waitFor(() => expect(client.socket.recovered).toBe(true), { timeout: 4_000 });
    expect(service.deps.realtime.hub.stats.totalConnections).toBe(1);
    await route('after');
    await vi.waitFor(() => expect(steps(client)).toEqual(['after']));
    network.close();
  });

  it('still gets a call that was sent into the broken connection, and may answer it', async () => {
    const network = await brokenNetwork(service.base);
    const client = await connected(network.base);
    client.socket.io.reconnectionDelay(100);
    network.cut();
    const answer = service.deps.realtime.calls.call(place(), browserCall(), new AbortController().signal);
    const { toolCallId } = await client.next('browser_tool_call');
    client.socket.emit('tool_result', { toolCallId, result: 'there' });
    expect(await answer).toEqual({ ok: true, result: 'there' });
    network.close();
  });
});

describe('recovery', () => {
  it('ends after a bounded time: an expired token is refused then', async () => {
    const client = await connected();
    client.socket.io.reconnectionDelay(400);
    client.socket.io.engine.close();
    await vi.waitFor(() => expect(service.deps.realtime.seats.taken).toBe(0));
    [tokensAheadMs, ticketsAheadMs] = [hourMs, 130_000];
    expect(await client.next('connect_error')).toEqual({ message: 'Invalid UCAN invocation' });
  });

  it('wants a token that was shown before: the secret alone is nothing', async () => {
    const client = await connected();
    const secret = secretOf(client);
    client.socket.io.reconnection(false);
    client.socket.io.engine.close();
    await client.next('disconnect');
    const stolen = { pid: secret, offset: 'x.0' };
    const nobody = socketIoClient(service.base, sessionId, stolen as SocketAuth);
    expect(await nobody.next('connect_error')).toMatchObject({ message: expect.stringContaining('Missing UCAN') });
    const baraka = await authOf('b');
    const other = socketIoClient(service.base, sessionId, { ...baraka, ...stolen } as SocketAuth);
    expect(await other.next('connect_error')).toEqual({ message: 'Session not found' });
    const elsewhere = await sessionOf(service, baraka);
    const inTheirs = socketIoClient(service.base, elsewhere, { ...baraka, ...stolen } as SocketAuth);
    await inTheirs.next('connected');
    expect(inTheirs.socket.recovered).toBe(false);
  });

  it('is over when the client has left by itself, and for a session that was deleted', async () => {
    const client = await connected();
    const secret = secretOf(client);
    client.socket.disconnect();
    await vi.waitFor(async () => expect(await service.deps.realtime.tickets.find(secret)).toBeUndefined());
    const second = await connected();
    second.socket.io.reconnectionDelay(200);
    second.socket.io.engine.close();
    await second.next('disconnect');
    await service.deps.conversations.deleteSession(didOf('a'), sessionId);
    expect(await second.next('connect_error')).toEqual({ message: 'Session not found' });
  });
});

function secretOf(client: ReturnType<typeof socketIoClient>): string {
  return String(Reflect.get(client.socket, '_pid'));
}
