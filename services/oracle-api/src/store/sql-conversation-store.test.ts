import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseConnection, openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import { afterAll, beforeAll, describe } from 'vitest';
import { conversationStoreContract } from './conversation-store.contract.js';
import { migrationsFolder } from './migrations-folder.js';
import * as schema from './schema.js';
import { SqlConversationStore } from './sql-conversation-store.js';

const logger = createLogger({ service: 'test', level: 'silent' });

describe('embedded', () => {
  let dataDir: string;
  let database: DatabaseConnection<typeof schema>;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'oracle-store-'));
    database = await openDatabase({ dataDir, schema, migrationsFolder, logger });
  });
  afterAll(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  conversationStoreContract('PGlite', () => new SqlConversationStore(database.db));
});

describe.skipIf(postgresUrl === undefined)('real', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let database: DatabaseConnection<typeof schema>;
  beforeAll(async () => {
    fresh = await freshDatabase();
    database = await openDatabase({ url: fresh.url, dataDir: tmpdir(), schema, migrationsFolder, logger });
  });
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });
  conversationStoreContract('Postgres', () => new SqlConversationStore(database.db));
});
