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

/** A user of whichever process runs, with a session. */
async function userAt(service: ServiceProcess) {
  const { stdout } = await runScript('dev-token', { DATA_DIR: dataDir });
  const auth = { authorization: `Bearer ${stdout.trim()}`, 'x-auth-type': 'ucan' };
  const headers = { ...auth, 'content-type': 'application/json' };
  /** A busy machine has the service shed what comes, and say so. */
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

describe('of a process that was killed', { timeout: 180_000 }, () => {
  it('the turn is metered, and what was held for it is let go', async () => {
    const env = { CREDITS: 'local', LOCAL_MODEL_PACE_MS: '500' };
    const first = await start(env);
    const { did, sessionId, reach, ask, account } = await userAt(first);
    await ask(first, '/credits/top-ups', { topUpId: 'one', did, tokens: 200_000 });
    const message = { message: 'Tell me what you can do for me', stream: true };
    const stream = await reach(first, `/messages/${sessionId}`, message);
    for await (const chunk of stream.body ?? []) if (Buffer.from(chunk).toString().includes('event: message')) break;
    expect((await account(first)).held).toBeGreaterThan(0);
    // What it has written is kept with its lease, which is renewed now and then.
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

  it('what was used is billed by the next one, once, also when the API had heard of it before', async () => {
    const api = await standInSubscriptions();
    const env = {
      ...{ SUBSCRIPTION_URL: api.url, SUBSCRIPTION_API_KEY: subscriptionKey, SUBSCRIPTION_DELIVERY_SECONDS: '1' },
      ...{ LOCAL_MODEL_PACE_MS: '0', PRIVATE_HOSTS: '127.0.0.1' },
    };
    // It hears of what was used, and its word is lost.
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

describe.skipIf(postgresUrl === undefined)('while no claim can be written', { timeout: 180_000 }, () => {
  it('nothing of what turns take is lost: it is charged once when claims can be, by whoever is left of two processes', async () => {
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
      const untold = () => sql<{ run_id: string; attempts: number }[]>`select run_id, attempts from untold_usage`;
      // It has been told again in vain.
      await vi.waitFor(async () => expect((await untold()).every(({ attempts }) => attempts > 0)).toBe(true), patient);
      expect(await untold()).toHaveLength(4);
      await sql`delete from sessions where session_id = ${deleted}`;
      expect(await account(first)).toMatchObject({ held: 400_000, owed: 0 });
      await kill(first);
      await sql`drop trigger refuse on credit_claims`;
      await vi.waitFor(async () => expect(await untold()).toEqual([]), patient);
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
