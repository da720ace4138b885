import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import { strFromU8, unzipSync } from 'fflate';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runScript, type ServiceProcess, startService } from '../../../test/service-process.fixture.js';
import { standInSubscriptions, subscriptionKey } from './stand-in-subscriptions.fixture.js';

const patient = { timeout: 60_000, interval: 100 };

let dataDir: string;
const running: ServiceProcess[] = [];
const kill = async (service: ServiceProcess) => {
  service.child.kill('SIGKILL');
  await service.exit;
};
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'oracle-credits-'));
});
afterEach(async () => {
  for (const service of running.splice(0)) await kill(service);
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startService({ DATA_DIR: dataDir, ...env });
  running.push(service);
  return service;
}

/** A user with a session, on the current process. */
async function userAt(service: ServiceProcess) {
  const { stdout } = await runScript('dev-token', { DATA_DIR: dataDir });
  const auth = { authorization: `Bearer ${stdout.trim()}`, 'x-auth-type': 'ucan' };
  const headers = { ...auth, 'content-type': 'application/json' };
  /** An overloaded machine makes the service reject requests with an overload error. */
  const reach = ({ base }: ServiceProcess, path: string, body?: object) =>
    vi.waitFor(async () => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const reply = await fetch(base + path, { headers, ...init });
      if (reply.status === 503) throw new Error(`${path} is shed`);
      return reply;
    }, patient);
  const ask = async <Reply>(...of: Parameters<typeof reach>) => (await reach(...of)).json() as Promise<Reply>;
  const { did } = await ask<{ did: string }>(service, '/credits');
  const { sessionId } = await ask<{ sessionId: string }>(service, '/sessions', {});
  const account = (at: ServiceProcess) => ask<{ held: number; owed: number; claims: string[] }>(at, '/credits');
  return { did, sessionId, reach, ask, account };
}

describe('after a process was killed', { timeout: 180_000 }, () => {
  it('the turn is metered and its hold is released', async () => {
    const env = { CREDITS: 'local', LOCAL_MODEL_PACE_MS: '500' };
    const first = await start(env);
    const { did, sessionId, reach, ask, account } = await userAt(first);
    await ask(first, '/credits/top-ups', { topUpId: 'one', did, tokens: 200_000 });
    const message = { message: 'Tell me what you can do for me', stream: true };
    const stream = await reach(first, `/messages/${sessionId}`, message);
    for await (const chunk of stream.body ?? []) if (Buffer.from(chunk).toString().includes('event: message')) break;
    expect((await account(first)).held).toBeGreaterThan(0);
    // The written text is stored with the lease, which is renewed periodically.
    const kept = async () => {
      const archive = await reach(first, '/account/export');
      return strFromU8(unzipSync(new Uint8Array(await archive.arrayBuffer()))['runs.jsonl'] ?? new Uint8Array());
    };
    await vi.waitFor(async () => expect(await kept()).toMatch(/"partialText":"[^"]/), patient);
    await kill(first);

    const second = await start({ ...env, LOCAL_MODEL_PACE_MS: '0' });
    await vi.waitFor(async () => expect(await account(second)).toMatchObject({ held: 0 }), patient);
    const { owed, claims } = await account(second);
    expect([owed > 0, claims.length]).toEqual([true, 1]);
    await ask(second, `/messages/${sessionId}`, { message: 'And now?' });
    await vi.waitFor(async () => expect((await account(second)).claims).toHaveLength(2), patient);
  });

  it('usage is billed once by the next process, even if the API had received the claim before', async () => {
    const api = await standInSubscriptions();
    const env = {
      SUBSCRIPTION_URL: api.url,
      SUBSCRIPTION_API_KEY: subscriptionKey,
      SUBSCRIPTION_DELIVERY_SECONDS: '1',
      LOCAL_MODEL_PACE_MS: '0',
      PRIVATE_HOSTS: '127.0.0.1',
    };
    // The API receives the claim, and its reply is lost.
    api.state.isLosingReplies = true;
    const first = await start(env);
    const { did, sessionId, ask, account } = await userAt(first);
    api.paid.add(did);
    await ask(first, `/messages/${sessionId}`, { message: 'hello' });
    await vi.waitFor(() => expect(api.billedTo(did)).toHaveLength(1), patient);
    expect((await account(first)).claims).toHaveLength(1);
    await kill(first);

    api.state.isLosingReplies = false;
    const second = await start(env);
    await vi.waitFor(async () => expect((await account(second)).claims).toEqual([]), patient);
    expect(api.billedTo(did)).toHaveLength(1);
    expect(api.asked.filter((call) => call === 'POST /v1/claims').length).toBeGreaterThan(1);
    api.close();
  });
});

describe.skipIf(postgresUrl === undefined)('while claims cannot be written', { timeout: 180_000 }, () => {
  it('no usage is lost: the remaining process charges it once as soon as claims can be written', async () => {
    const database = await freshDatabase();
    const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
    try {
      const env = { DATABASE_URL: database.url, CREDITS: 'local', LOCAL_MODEL_PACE_MS: '0' };
      const [first, second] = [await start(env), await start(env)];
      const { did, sessionId, ask, account } = await userAt(first);
      await ask(first, '/credits/top-ups', { topUpId: 'one', did, tokens: 2_000_000 });
      await sql.unsafe(`create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
        create trigger refuse before insert on credit_claims for each row execute function refuse()`);
      const { sessionId: deleted } = await ask<{ sessionId: string }>(second, '/sessions', {});
      for (const session of [sessionId, deleted]) {
        for (const at of [first, second]) await ask(at, `/messages/${session}`, { message: 'hello' });
      }
      const unreported = () => sql<{ run_id: string; attempts: number }[]>`select run_id, attempts from untold_usage`;
      // Another attempt has failed.
      await vi.waitFor(
        async () => expect((await unreported()).every(({ attempts }) => attempts > 0)).toBe(true),
        patient,
      );
      expect(await unreported()).toHaveLength(4);
      await sql`delete from sessions where session_id = ${deleted}`;
      expect(await account(first)).toMatchObject({ held: 400_000, owed: 0 });
      await kill(first);
      await sql`drop trigger refuse on credit_claims`;
      await vi.waitFor(async () => expect(await unreported()).toEqual([]), patient);
      const claims = await sql<
        { claim_id: string }[]
      >`select claim_id from credit_claims where tokens > 0 order by position`;
      expect(new Set(claims.map(({ claim_id }) => claim_id)).size).toBe(4);
      expect(await account(second)).toMatchObject({ held: 0, claims: claims.map(({ claim_id }) => claim_id) });
    } finally {
      await Promise.all(running.splice(0).map(kill));
      await sql.end();
      await database.drop();
    }
  });
});
