import { canStartPostgres, type RealServer, startPostgres } from '@mlango/test-services/servers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capturedLog } from '../captured-log.fixture.js';
import { createNotes, migrationsFolder, schema } from '../migrations/migrations.fixture.js';
import { openPostgres } from './open-postgres.js';

describe.skipIf(!canStartPostgres)('statements sent to a Postgres server', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  /** The plans of a text on the server after it ran `times` times on the only connection: custom and generic. */
  async function stored(prepare: boolean, times: number, how: 'db' | 'stale' = 'db') {
    const folder = migrationsFolder([createNotes]);
    const connection = await openPostgres({
      url: server.url,
      schema,
      migrationsFolder: folder,
      logger: capturedLog().logger,
      prepare,
      limits: { maxConnections: 1 },
    });
    try {
      await connection.migrated;
      for (let time = 0; time < times; time++) {
        await connection[how].select({ sum: sql`${time}::int + 41` }).from(sql`(select 1) as one`);
      }
      return (await connection.db.execute(
        sql`select custom_plans::int as each, generic_plans::int as once from pg_prepared_statements where statement like '%+ 41 from%'`,
      )) as unknown[];
    } finally {
      await connection.close();
    }
  }

  it('are prepared on request, from the second execution on', async () => {
    expect(await stored(false, 9)).toEqual([]);
    expect(await stored(true, 1)).toEqual([]);
    expect(await stored(true, 2)).toHaveLength(1);
  });

  it('are then planned once for all values', async () => {
    expect(await stored(true, 21)).toEqual([{ each: 5, once: 15 }]);
  });

  it('are planned for the values of each execution as stale reads', async () => {
    expect(await stored(true, 21, 'stale')).toEqual([]);
  });
});
