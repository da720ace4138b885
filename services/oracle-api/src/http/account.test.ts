import { createPublicKey, verify } from 'node:crypto';
import { accountDeleted } from '@mlango/schemas/oracle-account';
import { keyOfDid } from '@mlango/ucan-auth/did-key';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../create-test-oracle.js';
import { gate, scriptedModel } from '../models/scripted-model.fixture.js';
import { closeClients, plainClient } from '../sockets/sockets.fixture.js';

let oracle: TestOracle;
beforeAll(async () => {
  oracle = await createTestOracle({ env: { CREDITS: 'local' } });
});
afterAll(() => oracle.close());

const call = (user: TestUser, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, on = oracle) =>
  on.inject({ method, url, headers: user.headers, ...(payload === undefined ? {} : { payload }) });
const topUp = (user: TestUser, tokens = 1_000_000) =>
  call(user, 'POST', '/credits/top-ups', { topUpId: `of ${user.did}`, did: user.did, tokens });

/** Files of an archive with their number of rows. */
async function exported(user: TestUser, on = oracle) {
  const reply = await call(user, 'GET', '/account/export', undefined, on);
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/zip']);
  const files = Object.entries(unzipSync(reply.rawPayload)).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
  const rowsOf = (name: string) =>
    (new Map(files).get(name) ?? '').split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const manifest = JSON.parse(new Map(files).get('manifest.json') ?? '');
  return { names: files.map(([name]) => name), rowsOf, manifest, text: JSON.stringify(files) };
}

async function deleted(user: TestUser, on = oracle) {
  const reply = await call(user, 'DELETE', '/account', undefined, on);
  expect(reply.statusCode).toBe(200);
  return accountDeleted.strict().parse(reply.json());
}

/** Creates a user with a conversation and a memory. */
async function newUserWithData(secret: string): Promise<TestUser> {
  const user = await oracle.newUser();
  await topUp(user);
  const session = await user.openSession();
  await user.say(`Remember that ${secret}`, session);
  await user.say('Call me Alex', session);
  const { messages } = (await call(user, 'GET', `/messages/${session}`)).json<{ messages: { id: string }[] }>();
  await call(user, 'PUT', `/sessions/${session}/feedback/${messages.at(-1)?.id}`, { rating: 'up', comment: secret });
  return user;
}

describe('GET /account/export', () => {
  it('contains all stored data of the caller, by kind, and no data of other users', async () => {
    const [asha] = [await newUserWithData('my goat is called Zuri'), await newUserWithData('my cow is called Penda')];
    const { names, rowsOf, manifest, text } = await exported(asha);
    for (const name of ['sessions', 'messages', 'runs', 'tool-calls', 'preferences', 'plugins/memory/memories']) {
      expect(names).toContain(`${name}.jsonl`);
    }
    expect(names).toContain('plugins/credits/accounts.jsonl');
    expect(rowsOf('plugins/feedback/ratings.jsonl')).toMatchObject([{ rating: 'up', reasons: [] }]);
    expect(rowsOf('messages.jsonl').map(({ type }) => type)).toEqual(['human', 'ai', 'human', 'ai']);
    expect(rowsOf('plugins/memory/memories.jsonl')).toMatchObject([{ content: expect.stringContaining('Zuri') }]);
    expect(manifest).toMatchObject({ did: asha.did, oracleDid: oracle.oracle.did, begunAt: expect.any(String) });
    const counted = names.filter((name) => name !== 'manifest.json').map((name) => [name, rowsOf(name).length]);
    expect(manifest.files).toEqual(Object.fromEntries(counted));
    expect(text).not.toContain('Penda');
  });

  it('can be repeated', async () => {
    const asha = await newUserWithData('I drink tea');
    expect((await exported(asha)).names).toEqual((await exported(asha)).names);
  });
});

describe('DELETE /account', () => {
  it('deletes all data of the caller only, and returns a verifiable receipt', async () => {
    const [asha, bo] = [
      await newUserWithData('my goat is called Zuri'),
      await newUserWithData('my cow is called Penda'),
    ];
    const before = await exported(bo);
    const receipt = await deleted(asha);
    expect(receipt).toMatchObject({ did: asha.did, oracleDid: oracle.oracle.did });
    expect(receipt.deleted).toMatchObject({ sessions: 1, messages: 4, runs: 2, preferences: 1, 'memory/memories': 1 });
    expect(receipt.deleted).toMatchObject({ 'feedback/ratings': 1 });
    expect(receipt.deleted).toMatchObject({ 'tool-calls': 2, 'credits/top-ups': 1 });
    expect(receipt.kept.map(({ kind }) => kind)).toEqual(['credits/claims', 'credits/accounts']);

    const [header = '', payload = '', signature = ''] = receipt.jws.split('.');
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const x = Buffer.from(keyOfDid(kid) ?? []).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect([alg, kid]).toEqual(['EdDSA', oracle.oracle.did]);
    expect(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    const { jws: _, ...said } = receipt;
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(said);

    expect((await call(asha, 'GET', '/sessions')).json()).toEqual({ sessions: [], total: 0 });
    expect((await call(asha, 'GET', '/memories')).json()).toEqual({ memories: [], total: 0 });
    expect((await call(asha, 'GET', '/user-preferences')).json()).toBe(null);
    const { text } = await exported(asha);
    expect([text.includes('Zuri'), text.includes('Alex')]).toEqual([false, false]);
    const after = await exported(bo);
    expect(after.manifest.files).toEqual(before.manifest.files);
    expect(after.rowsOf('messages.jsonl')).toEqual(before.rowsOf('messages.jsonl'));
  });

  it('deletes nothing the second time, and the user can start again', async () => {
    const asha = await oracle.newUser();
    await asha.openSession();
    expect((await deleted(asha)).deleted['sessions']).toBe(1);
    expect(new Set(Object.values((await deleted(asha)).deleted))).toEqual(new Set([0]));
    await asha.openSession();
    expect((await call(asha, 'GET', '/sessions')).json().total).toBe(1);
  });

  it('stops running answers first, and closes the sockets of all sessions', async () => {
    const hold = gate();
    const { model } = scriptedModel(['half', hold.opened, ' whole']);
    const slow = await createTestOracle({ model });
    const asha = await slow.newUser();
    const session = await asha.openSession();
    const base = await slow.listen({ host: '127.0.0.1', port: 0 });
    const invocation = asha.headers['authorization']?.slice('Bearer '.length) ?? '';
    const socket = plainClient(base, session, { invocation });
    await socket.next('connected');
    const url = `${base}/messages/${session}`;
    const headers = { ...asha.headers, 'content-type': 'application/json' };
    const body = JSON.stringify({ message: 'hi', stream: true });
    const stream = await fetch(url, { method: 'POST', headers, body });
    const receipt = deleted(asha, slow);
    expect(await stream.text()).toContain('"status":"aborted"');
    hold.open();
    expect((await receipt).deleted).toMatchObject({ sessions: 1, messages: 2, runs: 1 });
    await socket.closed;
    const runId = stream.headers.get('x-run-id');
    expect((await call(asha, 'GET', `/runs/${runId}`, undefined, slow)).statusCode).toBe(404);
    closeClients();
    await slow.close();
  });

  it('stores nothing that is sent concurrently', async () => {
    for (let round = 0; round < 3; round++) {
      const asha = await oracle.newUser();
      await topUp(asha);
      const sessions = await Promise.all([1, 2, 3].map(() => asha.openSession()));
      const sends = sessions.map((session, index) =>
        call(asha, 'POST', `/messages/${session}`, { message: `Remember that I have ${index} goats` }),
      );
      if (round % 2 === 1) await sends[0];
      const receipt = await call(asha, 'DELETE', '/account');
      await Promise.all(sends);
      expect(receipt.statusCode).toBe(200);
      const { names } = await exported(asha);
      // Unreported usage stays until it is billed.
      const left = names.filter((name) => name !== 'manifest.json' && !name.startsWith('plugins/credits/'));
      expect(left).toEqual([]);
    }
  });
});
