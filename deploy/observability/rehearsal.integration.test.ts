import { startNodeProgram } from '@mlango/test-services/program';
import { canStartPostgres, canStartRedis, startPostgres, startRedis } from '@mlango/test-services/servers';
import { describe, it } from 'vitest';
import { openEndpoint, oracleDid, sayHello, speaker } from './oracle-scene.fixture.js';
import { hasPromtool } from './promtool.fixture.js';
import { afterwards, hops, json, rehearse, rehearseInFolder, startDoor } from './rehearsing.fixture.js';

describe.skipIf(!hasPromtool)('a rehearsed fault', { timeout: 90_000 }, () => {
  rehearseInFolder();

  it.skipIf(!canStartRedis)('Redis is unavailable: hops fail, and both alerts fire', async () => {
    const redis = await startRedis();
    afterwards(() => redis.remove());
    const door = await startDoor('ussd-gateway', { REDIS_URL: redis.url, RATE_LIMIT_PER_PHONE: '100000' });
    const firing = ['UssdErrorRateHigh', 'RedisNotWritable'];
    await rehearse(door, {
      load: () => hops(door),
      fault: () => redis.kill(),
      firing,
      at: { redisUrl: redis.url },
      elsewhere: ['maxmemory'],
    });
  });

  it.skipIf(!canStartPostgres)('the database is unavailable: menus still work, and one alert fires', async () => {
    const postgres = await startPostgres();
    afterwards(() => postgres.remove());
    const door = await startDoor('ussd-gateway', { DATABASE_URL: postgres.url, RATE_LIMIT_PER_PHONE: '100000' });
    const at = { databaseUrl: postgres.url };
    await rehearse(door, { load: () => hops(door), fault: () => postgres.kill(), firing: ['DatabaseUnavailable'], at });
  });

  it('an aggregator calls from unlisted addresses: all of its callers are refused', async () => {
    const door = await startDoor('ussd-gateway', {
      AGGREGATOR_CANONICAL_CIDRS: '198.51.100.0/24',
      TRUST_PROXY_ENABLED: 'true',
      TRUST_PROXY_CIDRS: '127.0.0.1/32',
      RATE_LIMIT_PER_PHONE: '100000',
    });
    let from = '198.51.100.7';
    const load = () => hops(door, { 'x-forwarded-for': from });
    const fault = async () => (from = '203.0.113.7');
    await rehearse(door, { load, fault, firing: ['UssdCallersRejected'] });
  });

  it('a process is killed: its service is down', async () => {
    const door = await startDoor('ussd-gateway', { RATE_LIMIT_PER_PHONE: '100000' });
    await rehearse(door, { load: () => hops(door).catch(() => undefined), fault: door.end, firing: ['ServiceDown'] });
  });

  it('the chain node is unavailable: queries fail, and both alerts fire', async () => {
    const node = await startNodeProgram();
    const door = await startDoor('proto-gateway', { GRPC_TARGETS: node.address, PROTO_CACHE_TTL_MS: '0' });
    const load = async () => (await fetch(`${door.address}/proto/token/params`)).text();
    await rehearse(door, { load, fault: () => node.end(), firing: ['ChainNodesUnavailable', 'HttpErrorRateHigh'] });
  });

  it('a model endpoint fails: answers fail, and both alerts fire', async () => {
    let isFailing = false;
    const LLM_BASE_URL = `${await openEndpoint((reply) => {
      if (isFailing) reply.writeHead(401, json).end('{"error":{"message":"no"}}');
      else sayHello(reply);
    })}/v1`;
    const env = { LLM_BASE_URL, LLM_MODEL: 'm', LLM_API_KEY: 'sk-of-the-rehearsal', ORACLE_ENTITY_DID: oracleDid };
    const door = await startDoor('oracle-api', env);
    const load = await speaker(door, 7);
    const fault = async () => (isFailing = true);
    await rehearse(door, { load, fault, firing: ['ModelErrorRateHigh', 'HttpErrorRateHigh'] });
  });
});
