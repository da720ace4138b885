import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startBuilt } from '@mlango/test-services/program';
import { canStartPostgres, canStartRedis, startPostgres, startRedis } from '@mlango/test-services/servers';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { describe, it } from 'vitest';
import { hasPromtool } from './promtool.fixture.js';
import { afterwards, hops, json, rehearse, rehearseInFolder, startDoor } from './rehearsing.fixture.js';

const oracleDid = 'did:ixo:entity:e0001';

describe.skipIf(!hasPromtool)('a rehearsed fault', { timeout: 90_000 }, () => {
  rehearseInFolder();

  it.skipIf(!canStartRedis)('Redis is gone: hops fail, and the alerts say both', async () => {
    const redis = await startRedis();
    afterwards(() => redis.remove());
    const door = await startDoor('ussd-gateway', { REDIS_URL: redis.url, RATE_LIMIT_PER_PHONE: '100000' });
    const firing = ['HopsFail', 'RedisNotWritable'];
    await rehearse(door, { load: () => hops(door), fault: () => redis.kill(), firing });
  });

  it.skipIf(!canStartPostgres)('the database is gone: menus go on, and one alert fires', async () => {
    const postgres = await startPostgres();
    afterwards(() => postgres.remove());
    const door = await startDoor('ussd-gateway', { DATABASE_URL: postgres.url, RATE_LIMIT_PER_PHONE: '100000' });
    await rehearse(door, { load: () => hops(door), fault: () => postgres.kill(), firing: ['DatabaseAway'] });
  });

  it('an aggregator calls from addresses that nobody has named: all of its callers are refused', async () => {
    const door = await startDoor('ussd-gateway', {
      AGGREGATOR_CANONICAL_CIDRS: '198.51.100.0/24',
      ...{ TRUST_PROXY_ENABLED: 'true', TRUST_PROXY_CIDRS: '127.0.0.1/32', RATE_LIMIT_PER_PHONE: '100000' },
    });
    let from = '198.51.100.7';
    const load = () => hops(door, { 'x-forwarded-for': from });
    const fault = async () => (from = '203.0.113.7');
    await rehearse(door, { load, fault, firing: ['CallersTurnedAway'] });
  });

  it('a process is killed: its door is down', async () => {
    const door = await startDoor('ussd-gateway', { RATE_LIMIT_PER_PHONE: '100000' });
    await rehearse(door, { load: () => hops(door).catch(() => undefined), fault: door.end, firing: ['DoorDown'] });
  });

  it('the chain node is gone: queries fail, and the alerts say both', async () => {
    const node = await startBuilt('deploy/mock-node/dist/main.js', { MOCK_NODE_PORT: '0' }, /gRPC on (\S+)/);
    const door = await startDoor('proto-gateway', { GRPC_TARGETS: node.address, PROTO_CACHE_TTL_MS: '0' });
    const load = async () => (await fetch(`${door.address}/proto/token/params`)).text();
    await rehearse(door, { load, fault: () => node.end(), firing: ['NodesAway', 'RequestsFail'] });
  });

  it('a model endpoint fails: so do answers, and the alerts say both', async () => {
    let isFailing = false;
    const endpoint = createServer((request, reply) => {
      request.resume();
      if (isFailing) reply.writeHead(401, json).end('{"error":{"message":"no"}}');
      else {
        const say = (delta: object, finish_reason: string | null) =>
          `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
        reply.writeHead(200, { 'content-type': 'text/event-stream' });
        reply.end(`${say({ role: 'assistant', content: 'Hello' }, null)}${say({}, 'stop')}data: [DONE]\n\n`);
      }
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    afterwards(async () => endpoint.close());
    const LLM_BASE_URL = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`;
    const env = { LLM_BASE_URL, LLM_MODEL: 'm', LLM_API_KEY: 'sk-of-the-rehearsal', ORACLE_ENTITY_DID: oracleDid };
    const door = await startDoor('oracle-api', env);
    const user = { signer: signerFromSeed(Buffer.alloc(32, 7)), audience: oracleDid, lifetimeSeconds: 600 };
    const headers = { ...json, authorization: `Bearer ${await mintInvocation(user)}`, 'x-auth-type': 'ucan' };
    const post = (path: string, body: object) =>
      fetch(`${door.address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const { sessionId } = (await (await post('/sessions', {})).json()) as { sessionId: string };
    const load = async () => (await post(`/messages/${sessionId}`, { message: 'hi' })).text();
    const fault = async () => (isFailing = true);
    await rehearse(door, { load, fault, firing: ['ModelFails', 'RequestsFail'] });
  });
});
