import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { canStartPostgres, startPostgres } from '@mlango/test-services/servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endServices, type ServiceProcess, startService } from './support/service-process.js';
import { countCustomers, untilAcknowledged } from './support/stored-text.js';

afterEach(endServices);

const unavailable = 'END Service temporarily unavailable. Please try again later.';
const pinKey = 'ab'.repeat(32);
const idIn = (reply: string) => /C[0-9A-Z]{8}/.exec(reply)?.[0] ?? '';

/** Texts of an accumulating session, one per input. */
function textsOf(inputs: readonly string[]): string[] {
  const texts = [''];
  for (const input of inputs) texts.push(texts.at(-1) === '' ? input : `${texts.at(-1)}*${input}`);
  return texts;
}

async function play(service: ServiceProcess, sessionId: string, inputs: readonly string[]): Promise<string> {
  let reply = '';
  for (const text of textsOf(inputs)) reply = await service.hop(text, { sessionId });
  return reply;
}

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)('accounts on Redis and Postgres', () => {
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  const open = (env: Readonly<Record<string, string>> = {}) =>
    startService({ REDIS_URL: redis.url, DATABASE_URL: database.url, PIN_ENCRYPTION_KEY: pinKey, ...env });
  beforeEach(async () => {
    [redis, database] = await Promise.all([freshRedis(), freshDatabase()]);
  });
  afterEach(async () => {
    await endServices();
    await Promise.all([redis.drop(), database.drop()]);
  });

  it('continue in another process after a kill between any two hops, with one effect each', async () => {
    let service = await open();
    const hop = async (text: string, sessionId: string) => {
      const reply = await service.hop(text, { sessionId });
      await service.end('SIGKILL');
      service = await open();
      expect(await service.hop(text, { sessionId })).toBe(reply);
      return reply;
    };
    let reply = '';
    for (const text of textsOf(['2', '2', 'Amina', '00', '90210', '90210'])) reply = await hop(text, 'killed');
    const id = idIn(reply);
    await untilAcknowledged(database.url);
    const changes = ['11112', '90210', '1', '0', '2', '90210', '60748', '60748'];
    for (const text of textsOf(['2', '1', id, ...changes])) reply = await hop(text, 'killed-again');
    expect(reply).toMatch(/^CON Your PIN is changed\./);
    await untilAcknowledged(database.url);
    expect(await play(service, 'changed', ['2', '1', id, '90210'])).toContain('Attempts left: 2');
    expect(await play(service, 'changed-again', ['2', '1', id, '60748'])).toMatch(/^CON Welcome, Amina!/);
    expect(await countCustomers(database.url)).toBe(1);
  }, 180_000);

  it('are the same from two processes in turn, and keep the lock in both and over a restart', async () => {
    const services = await Promise.all([open(), open()]);
    const alternate = async (sessionId: string, inputs: readonly string[]) => {
      let reply = '';
      for (const [index, text] of textsOf(inputs).entries()) {
        reply = await (services[index % 2] ?? services[0]).hop(text, { sessionId });
      }
      return reply;
    };
    const id = idIn(await alternate('both', ['2', '2', 'Amina', '00', '90210', '90210']));
    await untilAcknowledged(database.url);
    expect(await alternate('right', ['2', '1', id, '90210'])).toMatch(/^CON Welcome, Amina!/);
    expect(await alternate('wrong', ['2', '1', id, '11112', '11113', '11114'])).toContain('Locked');
    await endServices();
    expect(await play(await open(), 'after', ['2', '1', id, '90210'])).toContain('Locked');
  }, 60_000);

  it('use at most three of thirty concurrent guesses at two processes', async () => {
    const services = await Promise.all([open(), open()]);
    const id = idIn(await play(services[0], 'sign-up', ['2', '2', 'Amina', '00', '90210', '90210']));
    const guesses = Array.from({ length: 30 }, (_, index) => ({
      caller: { sessionId: `guess-${index}`, phoneNumber: `+2547000000${10 + index}` },
      service: services[index % 2] ?? services[0],
      texts: textsOf(['2', '1', id, String(10_020 + index * 7)]),
    }));
    await Promise.all(
      guesses.map(async ({ caller, service, texts }) => {
        for (const text of texts.slice(0, -1)) await service.hop(text, caller);
      }),
    );
    const replies = await Promise.all(
      guesses.map(({ caller, service, texts }) => service.hop(texts.at(-1) ?? '', caller)),
    );
    expect(replies.filter((reply) => reply.includes('Attempts left')).length).toBe(2);
    expect(replies.filter((reply) => reply.includes('Locked')).length).toBe(28);
  }, 60_000);
});

describe.skipIf(!canStartPostgres)('without Postgres', () => {
  it('an account is refused for now, and the same hop creates it once Postgres is available again', async () => {
    const server = await startPostgres();
    try {
      const service = await startService({ DATABASE_URL: server.url });
      await play(service, 'away', ['2', '2', 'Amina', '00', '90210']);
      await server.kill();
      const last = textsOf(['2', '2', 'Amina', '00', '90210', '90210']).at(-1) ?? '';
      expect(await service.hop(last, { sessionId: 'away' })).toBe(unavailable);
      expect(await play(service, 'menus', ['1', '2'])).toMatch(/free/);
      await server.restart();
      await expect
        .poll(() => service.hop(last, { sessionId: 'away' }), { timeout: 20_000, interval: 200 })
        .toMatch(/^CON Account created successfully!/);
      expect(await countCustomers(server.url)).toBe(1);
    } finally {
      await server.remove();
    }
  }, 60_000);
});
