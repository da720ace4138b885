import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { McpPeer } from '../src/plugins/mcp/mcp-peer.fixture.js';
import { runScript, type ServiceProcess, startService } from './service-process.fixture.js';

const rounds = 3;
const patient = { timeout: 20_000, interval: 250 };

/** Fields of the replies in this test. */
interface Reply {
  readonly sessionId: string;
  readonly run: { readonly runId: string; readonly status: string };
  readonly approvals: readonly { readonly runId: string; readonly sessionId: string; readonly toolCallId: string }[];
  readonly messages: readonly { readonly toolCalls?: readonly { name: string; status: string; output: string }[] }[];
}

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)(
  'two processes with tools that have external effects',
  () => {
    /** Recorded payments, and the gate of the bank's replies. */
    const paid: string[] = [];
    let letGo: () => void = () => undefined;
    let held = Promise.resolve();
    const stores: { drop(): Promise<void> }[] = [];
    const bank = new McpPeer(() => {
      const server = new McpServer({ name: 'bank', version: '1.0.0' });
      for (const name of ['pay', 'note']) {
        server.registerTool(name, { description: 'Acts.', inputSchema: { id: z.string() } }, async ({ id }) => {
          paid.push(id);
          await held;
          return { content: [{ type: 'text', text: `did ${id}` }] };
        });
      }
      return server;
    });
    let env: Record<string, string>;
    let headers: Record<string, string>;
    const replicas: ServiceProcess[] = [];
    beforeAll(async () => {
      await bank.listen();
      const [database, redis] = [await freshDatabase(), await freshRedis()];
      stores.push(database, redis);
      env = {
        NODE_ENV: 'test',
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        ORACLE_SIGNING_SEED: 'cd'.repeat(32),
        SEAL_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
        MCP_SERVERS: JSON.stringify({ bank: { url: bank.url } }),
        PRIVATE_HOSTS: '127.0.0.1',
        TOOL_APPROVAL: 'bank__pay=ask',
        RATE_LIMIT_MAX: '100000',
        LOCAL_MODEL_PACE_MS: '0',
      };
      replicas.push(await startService(env), await startService(env));
      const { stdout } = await runScript('dev-token', env);
      headers = { authorization: `Bearer ${stdout.trim()}`, 'x-auth-type': 'ucan', 'content-type': 'application/json' };
    }, 120_000);
    afterAll(async () => {
      letGo();
      for (const replica of replicas) await replica.end();
      await bank.close();
      for (const store of stores) await store.drop();
    });

    const request = async (at: ServiceProcess, method: 'GET' | 'POST', path: string, body?: object): Promise<Reply> => {
      const reply = await fetch(`${at.base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
      return (await reply.json()) as Reply;
    };
    const openSession = async (at: ServiceProcess) => (await request(at, 'POST', '/sessions')).sessionId;

    it('never repeat a call after one is killed during it, and report the outcome as unknown', async () => {
      for (let round = 0; round < rounds; round++) {
        const [dies, stays] = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
        const [one, other] = [replicas[dies] as ServiceProcess, replicas[stays] as ServiceProcess];
        held = new Promise((resolve) => {
          letGo = resolve;
        });
        // One approved call, and one that needs no approval.
        const [approved, free] = [await openSession(one), await openSession(one)];
        await request(other, 'POST', `/messages/${approved}`, {
          message: `use the tool bank__pay with {"id":"pay-${round}"}`,
        });
        const [call] = (await request(other, 'GET', '/approvals')).approvals;
        await request(one, 'POST', `/runs/${call?.runId}/approvals/${call?.toolCallId}`, { decision: 'allow' });
        const message = `use the tool bank__note with {"id":"note-${round}"}`;
        const sent = request(one, 'POST', `/messages/${free}`, { message }).catch(() => undefined);
        await expect.poll(() => paid.filter((id) => id.endsWith(`-${round}`)).length, patient).toBe(2);
        await one.end('SIGKILL');
        await sent;
        letGo();
        for (const [session, tool] of [
          [approved, 'bank__pay'],
          [free, 'bank__note'],
        ] as const) {
          const status = async () => (await request(other, 'GET', `/sessions/${session}/run`)).run.status;
          await expect.poll(status, patient).toBe('interrupted');
          const { messages } = await request(other, 'GET', `/messages/${session}`);
          expect(messages.at(-1)?.toolCalls).toMatchObject([
            { name: tool, status: 'unknown', output: expect.stringContaining('Do not repeat it without asking') },
          ]);
          // The session continues without repeating the unknown call.
          await request(other, 'POST', `/messages/${session}`, { message: 'hello' });
        }
        replicas[dies] = await startService(env);
      }
      expect(paid.toSorted((a, b) => a.localeCompare(b))).toEqual([
        ...Array.from({ length: rounds }, (_, round) => `note-${round}`),
        ...Array.from({ length: rounds }, (_, round) => `pay-${round}`),
      ]);
    }, 180_000);
  },
);
