import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { endPrograms } from '@mlango/test-services/program';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { killOneThenRestartTheOther, Work } from './disturbance.fixture.js';
import { hostOf, type RunningProxy } from './doors.fixture.js';
import { oracleUser } from './oracle-client.fixture.js';
import { found } from './proxies.fixture.js';
import { type Replica, startTwo } from './replica.fixture.js';

const streams = 100;
const users = 10;
const question = 'count to 40';
const answer = Array.from({ length: 40 }, (_, index) => index + 1).join(' ');
const seed = randomBytes(32);
const { keyDid: oracleDid } = signerFromSeed(seed);

describe.skipIf(postgresUrl === undefined || redisUrl === undefined || found.length === 0)('two oracles', () => {
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let replicas: readonly [Replica, Replica];
  const running: RunningProxy[] = [];
  const sockets: Socket[] = [];

  beforeAll(async () => {
    [redis, database] = await Promise.all([freshRedis(), freshDatabase()]);
    replicas = await startTwo('services/oracle-api/dist/main.js', {
      REDIS_URL: redis.url,
      DATABASE_URL: database.url,
      ORACLE_SIGNING_SEED: seed.toString('hex'),
      SEAL_KEYS: randomBytes(32).toString('hex'),
      LOCAL_MODEL_PACE_MS: '10',
    });
    const oracle = [replicas[0].address, replicas[1].address] as const;
    const upstreams = { ussd: oracle, oracle, chain: oracle, playground: oracle };
    for (const { program, start } of found) running.push(await start(program, upstreams));
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  });
  afterAll(async () => {
    await Promise.all(running.map((proxy) => proxy.stop()));
    await endPrograms();
    await Promise.all([redis?.drop(), database?.drop()]);
  });

  it.each([[['polling']], [['polling', 'websocket']]])(
    'serve Socket.IO clients without interruption over %s',
    async (transports) => {
      const each = running.flatMap((proxy) =>
        Array.from({ length: 8 }, async () => {
          const user = await oracleUser(proxy, oracleDid, randomBytes(32));
          const sessionId = await user.newSession();
          const socket = await connected(proxy, user, { sessionId, transports, reconnection: false });
          const { id } = socket;
          for (let ping = 0; ping < 6; ping += 1) {
            const pong = answered(socket, 'pong');
            socket.emit('ping');
            expect(await pong).toMatchObject({ sessionId });
          }
          expect(socket.id).toBe(id);
          await expect.poll(() => socket.io.engine.transport.name).toBe(transports.at(-1));
        }),
      );
      await Promise.all(each);
    },
  );

  it('deliver every answer whole while one is killed and the other restarted', async () => {
    const polling = { transports: ['polling'], reconnection: true };
    const clients = await Promise.all(
      running.flatMap((proxy) =>
        Array.from({ length: 4 }, async () => {
          const user = await oracleUser(proxy, oracleDid, randomBytes(32));
          return connected(proxy, user, { sessionId: await user.newSession(), ...polling });
        }),
      ),
    );
    const work = new Work(streams * running.length);
    const sent = running.flatMap((proxy) => {
      let count = 0;
      return Array.from({ length: users }, async () => {
        const user = await oracleUser(proxy, oracleDid, randomBytes(32));
        while (count < streams || work.goesOn) {
          count += 1;
          await work.doing(() => askUntilAnswered(user));
          work.add(1);
        }
      });
    });
    await Promise.all([...sent, killOneThenRestartTheOther(replicas, work)]);
    expect(work.done).toBeGreaterThanOrEqual(streams * running.length);
    // Every replica was restarted once, so all clients have reconnected. Messages during a reconnect are lost.
    const pongs = clients.map((socket) => {
      let hasPong = false;
      socket.once('pong', () => (hasPong = true));
      return vi.waitUntil(() => hasPong || !socket.emit('ping'), { timeout: 30_000, interval: 200 });
    });
    await Promise.all(pongs);
  }, 120_000);

  async function connected(
    proxy: RunningProxy,
    user: Awaited<ReturnType<typeof oracleUser>>,
    { sessionId, ...options }: { sessionId: string; transports: string[]; reconnection: boolean },
  ): Promise<Socket> {
    const socket = io(`http://${hostOf('oracle')}:${proxy.port}`, {
      query: { sessionId },
      auth: user.auth,
      agent: atLoopback as never,
      forceNew: true,
      ...options,
    });
    sockets.push(socket);
    await answered(socket, 'connected');
    return socket;
  }
});

/** Resolves every name to this machine. `io` declares the type of a browser, which has no agent. */
const atLoopback = new Agent({
  lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
});

/** An answer interrupted by its replica is stored as far as it was written, and the question is sent again. */
async function askUntilAnswered(user: Awaited<ReturnType<typeof oracleUser>>): Promise<void> {
  const sessionId = await user.newSession();
  const kept: string[] = [];
  for (;;) {
    const { frames, text, status } = await user.answerTo(sessionId, question);
    expect(frames.map(({ id }) => Number(id))).toEqual(frames.map((_, index) => index + 1));
    // An answer cut before its first word is stored too, with its status.
    kept.push(question, text);
    if (status === 'finished') break;
    expect(status).toBe('interrupted');
  }
  expect(kept.at(-1)).toBe(answer);
  expect(await user.contents(sessionId)).toEqual(kept);
}

/** The next event of that name; rejects when the connection fails first. */
function answered(socket: Socket, event: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('connect_error', reject);
    socket.once('disconnect', (reason) => reject(new Error(reason)));
  });
}
