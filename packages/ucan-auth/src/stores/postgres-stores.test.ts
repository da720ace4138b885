import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { describe } from 'vitest';
import { postgresStoresContract, schema } from './postgres-stores.contract.js';

describe('with PGlite', () => {
  postgresStoresContract(async () => {
    const client = new PGlite();
    return { db: drizzle(client, { schema }), close: () => client.close() };
  });
});
