import { endPrograms, startNodeProgram } from '@mlango/test-services/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killOneThenRestartTheOther, Work } from './disturbance.fixture.js';
import { ask, type Reply, type RunningProxy } from './doors.fixture.js';
import { found } from './proxies.fixture.js';
import { type Replica, startTwo } from './replica.fixture.js';

const queries = 2500;
const clients = 24;
const paths = ['/proto/token/params', '/proto/entity/did:ixo:entity:e0001', '/proto/claims/claims?pagination.limit=2'];
const batch = { method: 'POST', body: JSON.stringify({ paths }), headers: { 'content-type': 'application/json' } };

describe.skipIf(found.length === 0)('two query gateways', () => {
  let replicas: readonly [Replica, Replica];
  const running: RunningProxy[] = [];

  beforeAll(async () => {
    const node = await startNodeProgram();
    replicas = await startTwo('services/proto-gateway/dist/main.js', { GRPC_TARGETS: node.address });
    const chain = [replicas[0].address, replicas[1].address] as const;
    const upstreams = { ussd: chain, oracle: chain, chain, playground: chain };
    for (const { program, start } of found) running.push(await start(program, upstreams));
  });
  afterAll(async () => {
    await Promise.all(running.map((proxy) => proxy.stop()));
    await endPrograms();
  });

  it('answer every query while one is killed and the other restarted', async () => {
    const work = new Work(queries * running.length);
    const right = await answersThrough(running[0]);
    const sent = running.flatMap((proxy) => {
      let count = 0;
      return Array.from({ length: clients }, async (_, client) => {
        for (let turn = client; count < queries || work.goesOn; turn += 1) {
          count += 1;
          await work.doing(async () => {
            if (turn % 10 === 9) expect(await batchUntilServed(proxy)).toEqual(right.batch);
            else expect(await query(proxy, turn)).toEqual(right.queries[turn % paths.length]);
          });
          work.add(1);
        }
      });
    });
    await Promise.all([...sent, killOneThenRestartTheOther(replicas, work)]);
    expect(work.done).toBeGreaterThanOrEqual(queries * running.length);
  }, 120_000);
});

/** A GET is answered at the first try, during any failure behind the proxy. */
async function query(proxy: RunningProxy, turn: number): Promise<unknown> {
  return answerIn(await ask(proxy, 'chain', paths[turn % paths.length] ?? ''));
}

/** A batch that a replica had begun may fail with UNAVAILABLE, and is then sent again. */
async function batchUntilServed(proxy: RunningProxy): Promise<unknown> {
  for (;;) {
    const reply = await ask(proxy, 'chain', '/proto/batch', batch);
    // The height differs from batch to batch.
    if (reply.status < 502) return (answerIn(reply) as { replies: unknown }).replies;
    expect(JSON.parse(reply.body)).toMatchObject({ code: 14 });
  }
}

async function answersThrough(proxy: RunningProxy | undefined) {
  if (proxy === undefined) throw new Error('there is no proxy');
  const all = await Promise.all(paths.map((_, turn) => query(proxy, turn)));
  return { queries: all, batch: await batchUntilServed(proxy) };
}

function answerIn({ status, body }: Reply): unknown {
  expect(status, body).toBe(200);
  return JSON.parse(body);
}
