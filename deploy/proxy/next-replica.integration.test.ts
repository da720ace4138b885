import { freePort } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type Door, type RunningProxy, type Upstreams } from './doors.fixture.js';
import { type Echo, type EchoUpstream, startEchoUpstream } from './echo-upstream.fixture.js';
import { type MortalUpstream, startMortalUpstream } from './mortal-upstream.fixture.js';
import { proxies } from './proxies.fixture.js';

/** Enough tries for both replicas to have a turn, for any order. */
const tries = 6;
const json = { 'content-type': 'application/json' };
const hop = JSON.stringify({
  sessionId: 's',
  phoneNumber: '+260971230567',
  serviceCode: '*384#',
  text: '1*2 & {x}+%41',
});

const doorsTo = (first: string, second: string): Upstreams => {
  const both = [first, second] as const;
  return { ussd: both, oracle: both, chain: both, playground: [second, second] };
};

/** The bytes that the service reads of a hop, by any method: `hops-in-queries.ts` reads the same. */
function bodyBytesOf({ url, bodyBytes, headers }: Echo): number {
  const packed = new URL(url, 'http://replica').searchParams.get('hop');
  return headers['x-hop-method'] === undefined || packed === null ? bodyBytes : Buffer.byteLength(packed);
}

for (const { name, program, start } of proxies) {
  describe.skipIf(program === undefined)(`behind ${name}`, { concurrent: true }, () => {
    let live: EchoUpstream;
    let dying: MortalUpstream;
    let hanging: MortalUpstream;
    const running: RunningProxy[] = [];
    const beside = async (first: string) => {
      const proxy = await start(program ?? name, doorsTo(first, live.address));
      running.push(proxy);
      return proxy;
    };
    let besideDying: RunningProxy;
    let besideHanging: RunningProxy;
    let besideNobody: RunningProxy;

    beforeAll(async () => {
      live = await startEchoUpstream();
      [dying, hanging] = await Promise.all([startMortalUpstream('dies'), startMortalUpstream('hangs')]);
      besideDying = await beside(dying.address);
      besideHanging = await beside(hanging.address);
      besideNobody = await beside(`127.0.0.1:${await freePort()}`);
    });
    afterAll(async () => {
      await Promise.all(running.map((proxy) => proxy.stop()));
      await Promise.all([live, dying, hanging].map((upstream) => upstream?.close()));
    });

    async function echoes(proxy: RunningProxy, door: Door, path: string, options: Parameters<typeof ask>[3] = {}) {
      const all: Echo[] = [];
      for (let count = 0; count < tries; count += 1) {
        const reply = await ask(proxy, door, path, options);
        expect(reply.status, reply.body).toBe(200);
        all.push(JSON.parse(reply.body) as Echo);
      }
      return all;
    }
    const took = (upstream: MortalUpstream, path: string) => upstream.took.filter((each) => each.endsWith(` ${path}`));

    it.each([
      ['its length', { ...json, 'content-length': String(Buffer.byteLength(hop)) }],
      ['no length', { ...json, 'transfer-encoding': 'chunked' }],
    ])('a hop with %s is repeated whole on the next replica when one dies of it', async (length, headers) => {
      const path = `/api/ussd/${length.replace(' ', '-')}`;
      const served = await echoes(besideDying, 'ussd', path, { method: 'POST', headers, body: hop });
      for (const echo of served) expect(bodyBytesOf(echo)).toBe(Buffer.byteLength(hop));
      expect(took(dying, path).length).toBeGreaterThan(0);
    });

    it('a hop moves on to the next replica if one does not answer', async () => {
      const options = { method: 'POST', headers: json, body: hop };
      const asked = Array.from({ length: tries }, () => ask(besideHanging, 'ussd', '/api/ussd', options));
      for (const { body } of await Promise.all(asked)) expect(body).toMatch(/^{"method"/);
      expect(took(hanging, '/api/ussd').length).toBeGreaterThan(0);
    });

    it.each([
      ['a message to the oracle', 'oracle', '/messages/sent-once', { error: expect.any(String) }],
      ['a transaction', 'chain', '/cosmos/tx/v1beta1/txs', { code: 14 }],
    ] as const)(
      '%s is sent once, and the caller gets an error if its replica died',
      async (_what, door, path, refusal) => {
        const statuses: number[] = [];
        for (let count = 0; count < tries; count += 1) {
          const reply = await ask(besideDying, door, path, { method: 'POST', headers: json, body: '{"message":"hi"}' });
          statuses.push(reply.status);
          expect(JSON.parse(reply.body)).toMatchObject(reply.status === 200 ? { method: 'POST' } : refusal);
        }
        const lost = statuses.filter((status) => status >= 502);
        expect(lost.length).toBeGreaterThan(0);
        expect(took(dying, path)).toHaveLength(lost.length);
        expect(statuses.filter((status) => status === 200)).toHaveLength(tries - lost.length);
      },
    );

    it('GET requests to the oracle, and chain queries, move on', async () => {
      await echoes(besideDying, 'oracle', '/sessions/s/run');
      await echoes(besideDying, 'chain', '/proto/token/params');
      expect(took(dying, '/sessions/s/run').length).toBeGreaterThan(0);
      expect(took(dying, '/proto/token/params').length).toBeGreaterThan(0);
    });

    it.each([
      ['ussd', 'a hop', '/api/ussd', hop],
      ['oracle', 'a message', '/messages/s', 'x'.repeat(250_000)],
      ['chain', 'a batch', '/proto/batch', '{"paths":[]}'],
    ] as const)('%s: %s is repeated whole when a replica accepts no connection', async (door, _what, path, body) => {
      const served = await echoes(besideNobody, door, path, { method: 'POST', headers: json, body });
      for (const echo of served) expect(bodyBytesOf(echo)).toBe(Buffer.byteLength(body));
    });
  });
}
