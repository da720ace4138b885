import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startMockNode } from '@mlango/mock-node/server';
import { canStartPostgres, startPostgres, startPostgresPair } from '@mlango/test-services/servers';
import postgres from 'postgres';
import { describe, expect, it, vi } from 'vitest';
import { openEndpoint, oracleDid, person, sayHello, speaker } from './oracle-scene.fixture.js';
import { hasPromtool } from './promtool.fixture.js';
import type { Door } from './recording.fixture.js';
import { afterwards, hops, json, rehearse, rehearseInFolder, startDoor } from './rehearsing.fixture.js';

const root = new URL('../..', import.meta.url).pathname;

/** The largest value of a series of a service. */
async function figure({ address }: Door, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Math.max(
    0,
    ...[...text.matchAll(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'gm'))].map(([, value]) => Number(value)),
  );
}

function openSql(url: string): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  afterwards(() => sql.end({ timeout: 1 }));
  return sql;
}

describe.skipIf(!hasPromtool)('a rehearsed wait', { timeout: 180_000 }, () => {
  rehearseInFolder();

  it('the chain stops: queries are answered, from a state that becomes old', async () => {
    let chainMs = Date.UTC(2026, 0, 1);
    const node = await startMockNode({ clock: () => chainMs });
    afterwards(() => node.close());
    const door = await startDoor('proto-gateway', { GRPC_TARGETS: node.address, PROTO_CACHE_TTL_MS: '0' });
    let isMoving = true;
    const load = async () => {
      if (isMoving) chainMs += 60_000;
      await (await fetch(`${door.address}/proto/token/params`)).text();
    };
    const fault = async () => {
      isMoving = false;
      // The gateway has seen the last block.
      const last = 1 + (chainMs - Date.UTC(2024, 0, 1)) / 6_000;
      await vi.waitFor(async () => expect(await figure(door, 'proto_gateway_node_height')).toBe(last), 20_000);
    };
    await rehearse(door, { load, fault, firing: ['ChainHeightStalled'] });
  });

  it('one of two chain nodes is unavailable: queries work, and one alert fires', async () => {
    let chainMs = Date.UTC(2026, 0, 1);
    const nodes = [
      await startMockNode({ clock: () => chainMs }),
      await startMockNode({ clock: () => chainMs }),
    ] as const;
    for (const node of nodes) afterwards(() => node.close());
    const targets = nodes.map(({ address }) => address).join();
    const door = await startDoor('proto-gateway', { GRPC_TARGETS: targets, PROTO_CACHE_TTL_MS: '0' });
    const load = async () => {
      chainMs += 60_000;
      expect((await fetch(`${door.address}/proto/token/params`)).status).toBe(200);
    };
    const fault = async () => {
      await nodes[0].close();
      await vi.waitFor(async () => expect(await figure(door, 'proto_gateway_node_away')).toBe(1), 20_000);
    };
    await rehearse(door, { load, fault, firing: ['ChainNodePoolDegraded'] });
  });

  it('a process is starved of CPU: it refuses requests, and both alerts fire', async () => {
    const node = await startMockNode();
    afterwards(() => node.close());
    const door = await startDoor('proto-gateway', { GRPC_TARGETS: node.address, PROTO_CACHE_TTL_MS: '0' });
    const load = async () => (await fetch(`${door.address}/proto/token/params`)).text();
    let isOver = false;
    const starved = async () => {
      while (!isOver) {
        door.child.kill('SIGSTOP');
        await pause(800);
        door.child.kill('SIGCONT');
        await pause(8);
      }
    };
    let starving: Promise<void> | undefined;
    const fault = async () => {
      starving = starved();
      await vi.waitFor(
        async () => expect((await fetch(`${door.address}/proto/token/params`)).status).toBe(503),
        60_000,
      );
    };
    await rehearse(door, { load, fault, faultLooks: 12, firing: ['ServiceOverloaded', 'HttpErrorRateHigh'] }).finally(
      () => {
        isOver = true;
      },
    );
    await starving;
  });

  it('uploads fill a table: an alert fires before writes are refused', async () => {
    const door = await startDoor('oracle-api', { STORAGE_BYTES_PER_TABLE: '2000000', ORACLE_ENTITY_DID: oracleDid });
    const { headers } = await person(1);
    const create = await fetch(`${door.address}/sessions`, { method: 'POST', headers });
    const { sessionId } = (await create.json()) as { sessionId: string };
    const load = async () => (await fetch(`${door.address}/sessions`, { headers })).text();
    const upload = async (name: string) => {
      const url = `${door.address}/attachments?sessionId=${sessionId}&filename=${name}`;
      const body = Array.from({ length: 60_000 }, randomUUID).join('');
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    const fault = async () => {
      expect(await upload('a.txt')).toBe(201);
      await vi.waitFor(async () => expect(await figure(door, 'oracle_table_bytes')).toBeGreaterThan(1_600_000), 30_000);
      expect(await upload('b.txt')).toBe(503);
    };
    await rehearse(door, { load, fault, firing: ['TableNearlyFull'] });
  });

  describe.skipIf(!canStartPostgres)('with a database', () => {
    it('a replica is unavailable: all reads use the primary, and one alert fires', async () => {
      const pair = await startPostgresPair();
      afterwards(() => pair.remove());
      const urls = { DATABASE_URL: pair.primary.url, DATABASE_READ_URL: pair.standby.url };
      const door = await startDoor('oracle-api', { ...urls, ORACLE_ENTITY_DID: oracleDid });
      const untilRead = (value: number) =>
        vi.waitFor(async () => expect(await figure(door, 'database_replica_read')).toBe(value), 30_000);
      await untilRead(1);
      const { headers } = await person(1);
      const search = async () => {
        expect((await fetch(`${door.address}/sessions/search?q=word`, { headers })).status).toBe(200);
      };
      const sql = openSql(pair.primary.url);
      // It shows that the primary has no replica.
      const ask = async (statement: string) => [await sql.unsafe(statement)].filter((rows) => rows.length === 0);
      const fault = async () => {
        // The primary does not wait for it.
        await sql`alter system reset synchronous_standby_names`;
        await sql`select pg_reload_conf()`;
        await pair.standby.kill();
        await untilRead(0);
      };
      await rehearse(door, { load: search, fault, firing: ['ReadReplicaUnused'], at: { ask } });
    });

    it('locks block a small pool: all replies are slow, and no database outage is reported', async () => {
      const server = await startPostgres();
      afterwards(() => server.remove());
      const env = { DATABASE_URL: server.url, DATABASE_POOL_MAX: '1', ORACLE_ENTITY_DID: oracleDid };
      const door = await startDoor('oracle-api', env);
      const { headers } = await person(1);
      const list = async () => (await fetch(`${door.address}/sessions`, { headers })).text();
      const locker = openSql(server.url);
      let waiting: Promise<unknown> = Promise.resolve();
      let isLocked = false;
      const load = async () => {
        if (!isLocked) return list();
        // The waiting request is answered, and others wait.
        await locker`rollback`;
        await waiting;
        await lock();
        waiting = Promise.all(Array.from({ length: 4 }, list));
        return vi.waitFor(
          async () => expect(await figure(door, 'database_statements_under_way')).toBeGreaterThan(2),
          30_000,
        );
      };
      const lock = async () => {
        isLocked = true;
        await locker`begin`;
        await locker`lock table sessions in access exclusive mode`;
      };
      // The runbook's statement shows the waiting sessions.
      const ask = async (statement: string) => {
        const found = await locker.unsafe(statement);
        return found.filter((row) => row['wait_event'] === 'relation');
      };
      await rehearse(door, { load, fault: lock, firing: ['DatabasePoolExhausted'], at: { ask } });
      await locker`rollback`;
      await waiting;
    });

    it('a model is slow: half a minute passes before its first word', async () => {
      const held: (() => void)[] = [];
      let isSlow = false;
      const LLM_BASE_URL = `${await openEndpoint((reply) => {
        if (isSlow) held.push(() => sayHello(reply));
        else sayHello(reply);
      })}/v1`;
      const server = await startPostgres();
      afterwards(() => server.remove());
      const DATABASE_URL = server.url;
      const env = {
        DATABASE_URL,
        LLM_BASE_URL,
        LLM_MODEL: 'm',
        LLM_API_KEY: 'sk-of-the-rehearsal',
        ORACLE_ENTITY_DID: oracleDid,
      };
      const door = await startDoor('oracle-api', env);
      const [first, ...others] = await Promise.all(Array.from({ length: 9 }, (_, at) => speaker(door, at + 1)));
      let looks = 0;
      let released = 0;
      let answered = 0;
      const load = async () => {
        if (!isSlow) return first?.();
        // All requests are sent at once, and one is answered at every third scrape, so one wait represents all of them.
        looks += 1;
        if (looks % 3 !== 1) return undefined;
        held.shift()?.();
        released += 1;
        return vi.waitFor(() => expect(answered).toBe(released), 30_000);
      };
      const fault = async () => {
        isSlow = true;
        const asked = others.map(async (say) => {
          await say();
          answered += 1;
        });
        Promise.all(asked).catch(() => undefined);
        await vi.waitFor(() => expect(held).toHaveLength(others.length), 30_000);
        await pause(21_000);
      };
      await rehearse(door, { load, fault, firing: ['ModelFirstTokenSlow'] });
    });

    it('a run does not end: the messages after it wait', async () => {
      const server = await startPostgres();
      afterwards(() => server.remove());
      let isHanging = false;
      const LLM_BASE_URL = `${await openEndpoint((reply) => {
        if (!isHanging) sayHello(reply);
      })}/v1`;
      const model = { LLM_BASE_URL, LLM_MODEL: 'm', LLM_API_KEY: 'sk-of-the-rehearsal', ORACLE_ENTITY_DID: oracleDid };
      const door = await startDoor('oracle-api', { ...model, DATABASE_URL: server.url, RUN_CONFLICT: 'enqueue' });
      const [one, another] = [await speaker(door, 1), await speaker(door, 2)];
      const sql = openSql(server.url);
      const load = () => (isHanging ? fetch(`${door.address}/models`) : one());
      const fault = async () => {
        isHanging = true;
        for (let said = 0; said < 2; said += 1) another().catch(() => undefined);
        await vi.waitFor(async () => {
          // The first one is queued for a moment, too.
          const live = await sql`select status from runs where ended_at is null order by position`;
          expect(live.map(({ status }) => status)).toEqual(['running', 'queued']);
        }, 30_000);
        // Twenty minutes ago.
        await sql`update runs set created_at = created_at - interval '20 minutes' where status = 'queued'`;
        await vi.waitFor(async () => expect(await figure(door, 'oracle_runs_oldest_seconds')).toBeGreaterThan(600), {
          timeout: 60_000,
          interval: 1_000,
        });
      };
      await rehearse(door, { load, fault, firing: ['RunsStalled'] });
    });

    it('the payment provider does not answer: the outcome of payments is unknown', async () => {
      const server = await startPostgres();
      afterwards(() => server.remove());
      const url = await openEndpoint((reply) => {
        // The fee request is answered; the payment request is not.
        if (!isPaying) reply.writeHead(200, json).end('{"status":"done","outcome":"found","facts":{"fee":"3"}}');
      });
      let isPaying = false;
      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      const WEBHOOKS = JSON.stringify({ mobileMoney: { url, secret, phone: 'full', private: true } });
      const FLOWS_DIR = `${root}examples/mobile-money/flows`;
      const env = { DATABASE_URL: server.url, WEBHOOKS, FLOWS_DIR, RATE_LIMIT_PER_PHONE: '100000' };
      const door = await startDoor('ussd-gateway', env);
      const sql = openSql(server.url);
      const fault = async () => {
        const hop = async (text: string) => {
          const body = { sessionId: 'pays', serviceCode: '*384#', phoneNumber: '+260971230567', text };
          const reply = await fetch(`${door.address}/api/ussd`, {
            method: 'POST',
            headers: json,
            body: JSON.stringify(body),
          });
          return reply.text();
        };
        for (const text of ['', '1', '1*250']) await hop(text);
        isPaying = true;
        await hop('1*250*1');
        await sql`update effect_intents set started_at = started_at - interval '2 hours' where ended_at is null`;
        await vi.waitFor(async () => expect(await figure(door, 'ussd_effects_oldest_seconds')).toBeGreaterThan(3_600), {
          timeout: 30_000,
          interval: 1_000,
        });
      };
      await rehearse(door, {
        load: () => hops(door),
        fault,
        firing: ['EffectsStalled'],
        at: { ask: (statement) => sql.unsafe(statement) },
      });
    });
  });
});
