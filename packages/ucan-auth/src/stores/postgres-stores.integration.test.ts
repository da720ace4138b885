import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { describe } from 'vitest';
import { postgresStoresContract, schema } from './postgres-stores.contract.js';

describe.skipIf(postgresUrl === undefined)('with a real Postgres', () => {
  postgresStoresContract(async () => {
    const fresh = await freshDatabase();
    const client = postgres(fresh.url, { max: 4, onnotice: () => {} });
    const close = async () => {
      await client.end({ timeout: 5 });
      await fresh.drop();
    };
    return { db: drizzle(client, { schema }), close };
  });
});
