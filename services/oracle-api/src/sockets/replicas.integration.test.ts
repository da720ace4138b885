import { randomUUID } from 'node:crypto';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestStores } from '../../test/stores.fixture.js';
import { socketLimitsFor } from './limits.js';
import { MovedClock } from './moved-clock.fixture.js';
import { replicaOn } from './replica-on.fixture.js';
import {
  authOf,
  browserCall,
  closeClients,
  didOf,
  plainClient,
  type Service,
  type SocketAuth,
  sessionOf,
  socketIoClient,
  takeBackBy,
} from './sockets.fixture.js';

describe.skipIf(redisUrl === undefined)('two replicas on one Redis', () => {
  let one: Service;
  let two: Service;
  let asha: SocketAuth;
  let sessionId: string;
  const clock = new MovedClock();
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const { url, drop } = await freshRedis();
    const service = `test-${randomUUID()}`;
    const stores = await openTestStores();
    const auth = clock.auth();
    // Intervals so long that a test fails unless replicas notify each other.
    const limits = { rights: { ...socketLimitsFor(1_000).rights, sweepEveryMs: 3_600_000 } };
    const replica = async () => {
      const opened = await replicaOn(url, service, { auth, stores, nowMs: clock.nowMs, limits });
      closers.push(opened.close);
      return opened;
    };
    closers.push(drop);
    one = await replica();
    two = await replica();
    asha = await authOf('a');
    sessionId = await sessionOf(one, asha);
  });
  afterEach(async () => {
    closeClients();
    clock.aheadMs = 0;
    await vi.waitFor(() =>
      expect(one.deps.realtime.connectionLimit.taken + two.deps.realtime.connectionLimit.taken).toBe(0),
    );
  });
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  const place = () => ({ runId: 'run', ownerDid: didOf('a'), sessionId, requestId: 'r1' });
  const ask = (signal = new AbortController().signal) => one.deps.realtime.calls.call(place(), browserCall(), signal);

  it('send the same events to their sockets in the same order', async () => {
    const clients = [
      socketIoClient(one.base, sessionId, asha),
      socketIoClient(two.base, sessionId, asha),
      plainClient(two.base, sessionId, asha),
    ];
    await Promise.all(clients.map((client) => client.next('connected')));
    const steps = Array.from({ length: 20 }, (_, index) => `step ${index}`);
    for (const step of steps) {
      one.deps.realtime.turnEvents.emit(place(), {
        event: 'router_update',
        data: { sessionId, requestId: 'r1', step },
      });
    }
    for (const client of clients) {
      await vi.waitFor(() => expect(client.received.slice(1).map(({ data }) => data['step'])).toEqual(steps));
    }
  });

  it('find the tab on the other replica, and only that tab may answer', async () => {
    const here = socketIoClient(one.base, sessionId, asha);
    await here.next('connected');
    const there = socketIoClient(two.base, sessionId, asha);
    await there.next('connected');
    const answer = ask();
    await there.next('browser_tool_call');
    here.socket.emit('tool_result', { toolCallId: 'call-1', result: 'forged' });
    here.socket.emit('ping');
    await here.next('pong');
    there.socket.emit('tool_result', { toolCallId: 'call-1', result: 'there' });
    expect(await answer).toEqual({ ok: true, result: 'there' });
    expect(here.received.map(({ event }) => event)).toEqual(['connected', 'pong']);
  });

  it('cancel a call if its turn is aborted', async () => {
    const there = socketIoClient(two.base, sessionId, asha);
    await there.next('connected');
    const turn = new AbortController();
    const answer = ask(turn.signal);
    await there.next('browser_tool_call');
    turn.abort();
    expect(await answer).toMatchObject({ ok: false });
    there.socket.emit('tool_result', { toolCallId: 'call-1', result: 'late' });
    const again = ask();
    await vi.waitFor(() => expect(there.received.filter(({ event }) => event === 'browser_tool_call')).toHaveLength(2));
    there.socket.emit('tool_result', { toolCallId: 'call-1', result: 'again' });
    expect(await again).toEqual({ ok: true, result: 'again' });
  });

  it('let a client with an expired token resume on the other replica', async () => {
    const client = socketIoClient(one.base, sessionId, asha, { reconnection: true, reconnectionDelay: 200 });
    await client.next('connected');
    Reflect.set(client.socket.io, 'uri', two.base);
    client.socket.io.engine.close();
    await client.next('disconnect');
    // Expired, but within the grace period of sockets.
    clock.aheadMs = 330_000;
    await vi.waitFor(() => expect(two.deps.realtime.connectionLimit.taken).toBe(1), { timeout: 4_000 });
    // Missed events are not on this replica, so `recovered` is false and the client reads the messages again.
    expect(client.socket.recovered).toBe(false);
  });

  it('close the sockets of a token that was revoked on the other replica, over both protocols, and no others', async () => {
    const lost = await authOf('a');
    const [stock, plain] = [socketIoClient(two.base, sessionId, lost), plainClient(two.base, sessionId, lost)];
    const other = socketIoClient(two.base, sessionId, asha);
    await Promise.all([stock, plain, other].map((client) => client.next('connected')));
    const headers = { authorization: `Bearer ${asha.invocation}`, 'x-auth-type': 'ucan' };
    const takeBack = async (letter: string) => {
      const payload = { token: await takeBackBy(letter, lost.invocation) };
      return one.app.inject({ method: 'POST', url: '/revocations', headers, payload });
    };
    expect((await takeBack('b')).statusCode).toBe(200);
    plain.send('ping');
    await plain.next('pong');
    expect((await takeBack('a')).statusCode).toBe(200);
    expect(await plain.closed).toEqual({ code: 4401, reason: 'revoked' });
    expect(await stock.next('disconnect')).toEqual({ reason: 'io server disconnect' });
    other.socket.emit('ping');
    await other.next('pong');
  });

  it.each([
    ['was revoked', async (token: string) => void (await one.deps.auth.revoke(await takeBackBy('a', token)))],
    ['has expired beyond its grace period', async () => void Object.assign(clock, { aheadMs: 361_000 })],
  ])('refuse to resume a client if its token %s meanwhile', async (_, end) => {
    const auth = await authOf('a');
    const client = socketIoClient(one.base, sessionId, auth, { reconnection: true, reconnectionDelay: 200 });
    await client.next('connected');
    Reflect.set(client.socket.io, 'uri', two.base);
    client.socket.io.engine.close();
    await client.next('disconnect');
    await end(auth.invocation);
    expect(await client.next('connect_error')).toEqual({ message: 'Invalid UCAN invocation' });
    expect(two.deps.realtime.connectionLimit.taken).toBe(0);
  });

  it('accept an answer only from the called socket of the other replica, not from a socket that resumed with its secret', async () => {
    const client = socketIoClient(one.base, sessionId, asha, { reconnection: true, reconnectionDelay: 50 });
    await client.next('connected');
    const answer = ask();
    await client.next('browser_tool_call');
    Reflect.set(client.socket.io, 'uri', two.base);
    client.socket.io.engine.close();
    await vi.waitFor(() => expect(two.deps.realtime.connectionLimit.taken).toBe(1), { timeout: 4_000 });
    const after = socketIoClient(one.base, sessionId, asha);
    await after.next('connected');
    for (const each of [client, after]) {
      each.socket.emit('tool_result', { toolCallId: 'call-1', result: 'of another socket' });
      each.socket.emit('ping');
      await each.next('pong');
    }
    expect(await answer).toEqual({ ok: false, error: expect.stringContaining('gave no answer') });
  });

  it('close the sockets of a session that was deleted on the other replica', async () => {
    const session = await sessionOf(one, asha);
    const there = plainClient(two.base, session, asha);
    await there.next('connected');
    await one.deps.realtime.closeSession({ ownerDid: didOf('a'), sessionId: session });
    expect((await there.closed).code).toBe(4404);
  });
});
