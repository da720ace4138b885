import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import postgres from 'postgres';
import { expect, it, vi } from 'vitest';
import { createTestOracle } from '../src/create-test-oracle.js';
import { testTool } from '../src/plugins/api/oracle-with.fixture.js';
import { testPlugin } from '../src/plugins/api/plugin.fixture.js';

it.skipIf(postgresUrl === undefined)(
  'a call without a decision in time is denied, and its turn continues',
  async () => {
    const database = await freshDatabase();
    const sql = postgres(database.url, { max: 1 });
    const made: string[] = [];
    const pay = { ...testTool('pay', () => made.push('pay')), needsApproval: true as const };
    const oracle = await createTestOracle({
      plugins: [testPlugin('paying', { getTools: () => [pay] })],
      env: { DATABASE_URL: database.url, SEAL_KEYS: `k:${Buffer.alloc(32, 'k').toString('base64')}` },
    });
    const user = await oracle.newUser();
    const sessionId = await user.openSession();
    expect(await user.say('use the tool pay', sessionId)).toContain('waits for your approval');
    const [answer] = await sql`select status from messages where type = 'ai'`;
    expect(answer).toEqual({ status: 'waiting' });
    await sql`update tool_calls set expires_at = now() - interval '1 second'`;
    await vi.waitFor(
      async () =>
        expect(await sql`select status, finish_reason from messages where type = 'ai'`).toMatchObject([
          { status: 'finished' },
        ]),
      { timeout: 15_000, interval: 100 },
    );
    expect(await sql`select approval, why from tool_calls`).toEqual([
      { approval: 'denied', why: 'No decision was made in time.' },
    ]);
    expect(made).toEqual([]);
    await oracle.close();
    await sql.end();
    await database.drop();
  },
  30_000,
);
