import { sql } from 'drizzle-orm';
import type { Database } from '../../test/support/embedded-database.js';
import { onDatabases } from '../../test/support/on-databases.js';
import { accountStoreContract } from './account-store.contract.js';
import { AccountStore } from './account-store.js';

/** The clock is that of the database: time passes by moving stored events into the past. */
const passOn = (database: Database) => async (ms: number) => {
  const by = sql.raw(`interval '${ms} milliseconds'`);
  await database.db.execute(
    sql`update lockouts set locked_until = locked_until - ${by}, last_wrong_at = last_wrong_at - ${by}`,
  );
  await database.db.execute(sql`update pin_attempts set at = at - ${by}`);
  await database.db.execute(sql`update customers set created_at = created_at - ${by}, code_until = code_until - ${by}`);
};

onDatabases((name, database) => {
  accountStoreContract(name, () => ({ store: new AccountStore(database().db), pass: passOn(database()) }));
});
