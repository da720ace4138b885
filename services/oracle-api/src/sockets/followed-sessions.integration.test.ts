import { randomUUID } from 'node:crypto';
import { key, publishCounted } from '@mlango/service-kit/redis';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestStores, type TestStores } from '../../test/stores.fixture.js';
import { MovedClock } from './moved-clock.fixture.js';
import { replicaOn } from './replica-on.fixture.js';
import {
  authOf,
  closeClients,
  didOf,
  plainClient,
  type Service,
  type SocketAuth,
  sessionOf,
  socketIoClient,
} from './sockets.fixture.js';

type Replica = Awaited<ReturnType<typeof replicaOn>>;

function tell({ deps }: Service, sessionId: string, step: string): void {
  const place = { runId: 'run', ownerDid: didOf('a'), sessionId, requestId: 'r1' };
  deps.realtime.turnEvents.emit(place, { event: 'router_update', data: { sessionId, requestId: 'r1', step } });
}

describe.skipIf(redisUrl === undefined)('replicas', () => {
  let one: Replica;
  let two: Replica;
  let asha: SocketAuth;
  const service = `test-${randomUUID()}`;
  const clock = new MovedClock();
  let conversations: TestStores['conversations'];
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const { url, drop } = await freshRedis();
    closers.push(drop);
    const stores = await openTestStores();
    ({ conversations } = stores);
    const options = { stores, nowMs: clock.nowMs };
    one = await replicaOn(url, service, options);
    two = await replicaOn(url, service, options);
    closers.push(one.close, two.close);
    asha = await authOf('a');
  });
  afterEach(() => {
    closeClients();
    clock.aheadMs = 0;
  });
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  const followers = (sessionId: string) => publishCounted(one.client, key(service, sessionId, 'sockets'), '');

  it('send a socket every event after its admission, over both protocols', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [session, other] = [await sessionOf(one, asha), await sessionOf(one, asha)];
      const stock = socketIoClient(two.base, session, asha);
      await new Promise<void>((resolve) => void stock.socket.once('connect', resolve));
      tell(one, session, 'first');
      expect(await stock.next('router_update')).toMatchObject({ step: 'first' });
      const plain = plainClient(two.base, other, asha);
      await plain.next('connected');
      tell(one, other, 'first');
      expect(await plain.next('router_update')).toMatchObject({ step: 'first' });
    }
  });

  it('send no events of a session to a replica without its sockets', async () => {
    const [session, other] = [await sessionOf(one, asha), await sessionOf(one, asha)];
    const here = plainClient(one.base, session, asha);
    const there = plainClient(two.base, other, asha);
    await Promise.all([here, there].map((client) => client.next('connected')));
    for (const { heard } of [one, two]) heard.length = 0;
    for (let count = 0; count < 5; count += 1) tell(one, session, `${count}`);
    tell(one, other, 'last');
    await there.next('router_update');
    await vi.waitFor(() => expect(here.received.filter(({ event }) => event === 'router_update')).toHaveLength(5));
    const sessions = ({ heard }: Replica) => heard.map((message) => 'sessionId' in message && message.sessionId);
    expect([sessions(one), sessions(two)]).toEqual([[], [other]]);
  });

  it('stay subscribed to a session as long as a client may resume, and no longer', async () => {
    const session = await sessionOf(one, asha);
    expect(await followers(session)).toBe(0);
    const [here, there] = [plainClient(one.base, session, asha), plainClient(two.base, session, asha)];
    await Promise.all([here, there].map((client) => client.next('connected')));
    expect(await followers(session)).toBe(2);
    there.socket.close();
    const { hub } = two.deps.realtime;
    await vi.waitFor(() => expect(hub.membersAt({ ownerDid: didOf('a'), sessionId: session })).toEqual([]));
    hub.sweep();
    clock.aheadMs = 119_000;
    hub.sweep();
    expect(await followers(session)).toBe(2);
    clock.aheadMs = 121_000;
    hub.sweep();
    await vi.waitFor(async () => expect(await followers(session)).toBe(1));
    await two.deps.realtime.closeSession({ ownerDid: didOf('a'), sessionId: session });
    expect((await here.closed).code).toBe(4404);
    await vi.waitFor(async () => expect(await followers(session)).toBe(0));
  });

  it('refuse sockets of a session that was deleted before its room is subscribed', async () => {
    const session = await sessionOf(one, asha);
    const there = await conversations.findSession(didOf('a'), session);
    await conversations.deleteSession(didOf('a'), session);
    const looks = vi.spyOn(conversations, 'findSession').mockResolvedValueOnce(there);
    expect((await plainClient(two.base, session, asha).closed).code).toBe(4404);
    expect(looks).toHaveBeenCalledTimes(2);
    looks.mockRestore();
  });

  it('query the owner of a session once if its room is open, and still refuse other users', async () => {
    const session = await sessionOf(one, asha);
    const looks = vi.spyOn(conversations, 'findSession');
    await plainClient(two.base, session, asha).next('connected');
    expect(looks).toHaveBeenCalledTimes(2);
    const again = plainClient(two.base, session, asha);
    await again.next('connected');
    expect(looks).toHaveBeenCalledTimes(3);
    const baraka = plainClient(two.base, session, await authOf('b'));
    expect((await baraka.closed).code).toBe(4404);
    expect(looks).toHaveBeenCalledTimes(4);
    tell(one, session, 'still theirs');
    expect(await again.next('router_update')).toMatchObject({ step: 'still theirs' });
    looks.mockResolvedValue(undefined);
    expect((await plainClient(two.base, session, asha).closed).code).toBe(4404);
    looks.mockRestore();
  });

  it('do not subscribe to a session for refused sockets', async () => {
    const session = await sessionOf(one, asha);
    const baraka = plainClient(two.base, session, await authOf('b'));
    expect((await baraka.closed).code).toBe(4404);
    expect(await followers(session)).toBe(0);
  });
});

describe.skipIf(!canStartRedis)('an unavailable Redis', () => {
  it('does not block admissions, and events are delivered after its return', { timeout: 60_000 }, async () => {
    const server = await startRedis();
    const options = { stores: await openTestStores() };
    const [one, two] = [await replicaOn(server.url, 'away', options), await replicaOn(server.url, 'away', options)];
    const asha = await authOf('a');
    const session = await sessionOf(one, asha);
    await server.kill();
    const clients = [socketIoClient(two.base, session, asha), plainClient(two.base, session, asha)];
    await Promise.all(clients.map((client) => client.next('connected')));
    await server.restart();
    await vi.waitFor(
      () => {
        tell(one, session, 'again');
        for (const { received } of clients) expect(received.map(({ event }) => event)).toContain('router_update');
      },
      { timeout: 15_000, interval: 200 },
    );
    closeClients();
    await Promise.all([one.close(), two.close()]);
    await server.remove();
  });
});
