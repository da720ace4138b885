import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { brokenNetwork } from './broken-network.fixture.js';
import { MovedClock } from './moved-clock.fixture.js';
import { MemoryRecoveryTickets } from './recovery.js';
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
  takeBackBy,
} from './sockets.fixture.js';

/** Tokens live 300 seconds: the first time is beyond that, but within the grace period of sockets. */
const expiredMs = 330_000;
const clock = new MovedClock();
/** Offset of the clock of tickets. */
let ticketsAheadMs = 0;
let isStoreDown = false;

let service: Service;
let asha: SocketAuth;
let sessionId: string;
beforeAll(async () => {
  const store = memoryRevocationStore(clock.now);
  const isAnyRevoked: typeof store.isAnyRevoked = async (path) => {
    if (isStoreDown) throw new Error('away');
    return store.isAnyRevoked(path);
  };
  service = await listening({
    auth: clock.auth({ revocations: { ...store, isAnyRevoked } }),
    nowMs: clock.nowMs,
    tickets: new MemoryRecoveryTickets(() => Date.now() + ticketsAheadMs),
  });
});
beforeEach(async () => {
  clock.aheadMs = 0;
  ticketsAheadMs = 0;
  isStoreDown = false;
  asha = await authOf('a');
  sessionId = await sessionOf(service, asha);
});
afterEach(async () => {
  closeClients();
  await vi.waitFor(() => expect(service.deps.realtime.connectionLimit.taken).toBe(0));
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

describe('a client with a short network failure', () => {
  it('resumes with an expired handshake token as the same socket, and gets missed events once', async () => {
    const client = await connected();
    route('one');
    await client.next('router_update');
    const { id } = client.socket;
    client.socket.io.reconnectionDelay(300);
    client.socket.io.engine.close();
    await client.next('disconnect');
    clock.aheadMs = expiredMs;
    route('two');
    route('three');
    await vi.waitFor(() => expect(steps(client)).toEqual(['one', 'two', 'three']), { timeout: 4_000 });
    route('four');
    await vi.waitFor(() => expect(steps(client)).toEqual(['one', 'two', 'three', 'four']));
    expect(client.socket.recovered).toBe(true);
    expect(client.socket.id).toBe(id);
    expect(client.received.filter(({ event }) => event === 'connect_error')).toEqual([]);
  });

  it('resumes before the service has noticed the loss', async () => {
    const network = await brokenNetwork(service.base);
    const client = await connected(network.base);
    clock.aheadMs = expiredMs;
    network.cut();
    await client.next('disconnect');
    await vi.waitFor(() => expect(client.socket.recovered).toBe(true), { timeout: 4_000 });
    expect(service.deps.realtime.hub.stats.totalConnections).toBe(1);
    route('after');
    await vi.waitFor(() => expect(steps(client)).toEqual(['after']));
    network.close();
  });

  it('gets a call that was sent into the broken connection, and may answer it', async () => {
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
  it('expires: then an expired token is refused', async () => {
    const client = await connected();
    client.socket.io.reconnectionDelay(400);
    client.socket.io.engine.close();
    await vi.waitFor(() => expect(service.deps.realtime.connectionLimit.taken).toBe(0));
    [clock.aheadMs, ticketsAheadMs] = [expiredMs, 130_000];
    expect(await client.next('connect_error')).toEqual({ message: 'Invalid UCAN invocation' });
  });

  it('ends with the grace period of the token, however recent the loss of the connection', async () => {
    const client = await connected();
    await disconnected(client);
    clock.aheadMs = 361_000;
    expect(await client.next('connect_error')).toEqual({ message: 'Invalid UCAN invocation' });
    expect(client.socket.recovered).toBe(false);
  });

  it('checks whether the token was revoked meanwhile', async () => {
    const client = await connected();
    await disconnected(client);
    await service.deps.auth.revoke(await takeBackBy('a', asha.invocation ?? ''));
    expect(await client.next('connect_error')).toEqual({ message: 'Invalid UCAN invocation' });
    expect(service.deps.realtime.hub.stats.totalConnections).toBe(0);
  });

  it('waits while revocations cannot be checked', async () => {
    const client = await connected();
    await disconnected(client);
    isStoreDown = true;
    const attempts: unknown[] = [];
    client.socket.io.on('reconnect', (attempt) => attempts.push(attempt));
    await vi.waitFor(() => expect(attempts.length).toBeGreaterThan(1), { timeout: 4_000 });
    expect(client.received.filter(({ event }) => event === 'connected')).toHaveLength(1);
    isStoreDown = false;
    await vi.waitFor(() => expect(client.socket.recovered).toBe(true), { timeout: 4_000 });
  });

  it.each(['session read', 'connection limit'])('succeeds at the next attempt after a failed %s', async (cause) => {
    const { conversations, realtime } = service.deps;
    const client = await connected();
    const { id } = client.socket;
    const refusal =
      cause === 'session read'
        ? vi.spyOn(conversations, 'findSession').mockRejectedValueOnce(new Error('database away'))
        : vi.spyOn(realtime.connectionLimit, 'tryAcquire').mockReturnValueOnce({ full: 'total' });
    await disconnected(client);
    // The handshake token is expired, so only the ticket admits the client.
    clock.aheadMs = expiredMs;
    await vi.waitFor(() => expect(client.socket.recovered).toBe(true), { timeout: 4_000 });
    expect(client.socket.id).toBe(id);
    expect(refusal).toHaveBeenCalledTimes(2);
    refusal.mockRestore();
  });

  it('uses the last right: the handshake token resumes with the right of a renewed one', async () => {
    const client = await connected();
    clock.aheadMs = 290_000;
    const fresh = await authOf('a', 300, clock);
    client.socket.emit('auth', fresh);
    await client.next('authenticated');
    clock.aheadMs = 500_000;
    const { id } = client.socket;
    await disconnected(client);
    await vi.waitFor(() => expect(client.socket.recovered).toBe(true), { timeout: 4_000 });
    expect(client.socket.id).toBe(id);
    clock.aheadMs = 655_000;
    await service.deps.realtime.sweep();
    expect(await client.next('closing')).toMatchObject({ reason: 'expired' });
  });

  it('is refused for a socket that was closed by a revocation, also with its secret', async () => {
    const client = await connected();
    const secret = secretOf(client);
    await service.deps.auth.revoke(await takeBackBy('a', asha.invocation ?? ''));
    // The service's own sweep may have checked shortly before.
    clock.aheadMs = 60_000;
    await service.deps.realtime.sweep();
    expect(await client.next('disconnect')).toEqual({ reason: 'io server disconnect' });
    await vi.waitFor(async () => expect(await service.deps.realtime.tickets.find(secret)).toBeUndefined());
  });

  it('requires a token that was presented before, not only the secret', async () => {
    const client = await connected();
    const secret = secretOf(client);
    client.socket.io.reconnection(false);
    client.socket.io.engine.close();
    await client.next('disconnect');
    const stolen = { pid: secret, offset: 'x.0' };
    const thief = socketIoClient(service.base, sessionId, stolen as SocketAuth);
    expect(await thief.next('connect_error')).toMatchObject({ message: expect.stringContaining('Missing UCAN') });
    const baraka = await authOf('b');
    const other = socketIoClient(service.base, sessionId, { ...baraka, ...stolen } as SocketAuth);
    expect(await other.next('connect_error')).toEqual({ message: 'Session not found' });
    const otherSession = await sessionOf(service, baraka);
    const inTheirs = socketIoClient(service.base, otherSession, { ...baraka, ...stolen } as SocketAuth);
    await inTheirs.next('connected');
    expect(inTheirs.socket.recovered).toBe(false);
  });

  it('is refused after a deliberate disconnect, and for a deleted session', async () => {
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

/** Breaks the connection; the client reconnects shortly after. */
async function disconnected(client: ReturnType<typeof socketIoClient>): Promise<void> {
  client.socket.io.reconnectionDelay(200);
  client.socket.io.engine.close();
  await vi.waitFor(() => expect(client.socket.connected).toBe(false));
  await vi.waitFor(() => expect(service.deps.realtime.connectionLimit.taken).toBe(0));
}

function secretOf(client: ReturnType<typeof socketIoClient>): string {
  return String(Reflect.get(client.socket, '_pid'));
}
