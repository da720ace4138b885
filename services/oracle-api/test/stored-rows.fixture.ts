import { openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { sql } from 'drizzle-orm';
import { migrationsFolder } from '../src/store/database.js';
import * as schema from '../src/store/oracle-schema.js';

/** All rows of the embedded database in a folder, as text. No process may have the folder open. */
export async function storedRows(dataDir: string): Promise<string> {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const settings = { url: undefined, dataDir, schema, migrationsFolder, logger, applicationName: 'test' };
  const { db, close } = await openDatabase(settings);
  const select = async <Row>(query: ReturnType<typeof sql>) =>
    ((await db.execute(query)) as unknown as { rows: Row[] }).rows;
  const tables = await select<{ name: string }>(
    sql`select table_schema || '.' || table_name as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    texts.push(JSON.stringify(await select(sql.raw(`select row_to_json(stored) as row from ${name} as stored`))));
  }
  await close();
  return texts.join('\n');
}
