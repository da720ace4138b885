import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseConnection, openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { runsIntegration } from '@mlango/test-services/required';
import { afterAll, beforeAll, describe } from 'vitest';
import { ownDataStoreContract } from '../account/account-data.contract.js';
import { sqlAccountData } from '../account/sql-account-data.js';
import { callRecordsContract } from '../agent/loop/call-records.contract.js';
import { sqlCallRecords } from '../agent/loop/sql-call-records.js';
import { apiKeyStoreContract } from '../identity/api-key-store.contract.js';
import { sqlApiKeyStore } from '../identity/sql-api-key-store.js';
import { pluginStateStoreContract } from '../plugins/host/state/plugin-state-store.contract.js';
import { sqlPluginStateStore } from '../plugins/host/state/sql-plugin-state-store.js';
import { takeResultsContract } from '../protocols/tool-results.contract.js';
import { endAnsweredContract } from '../runs/end-answered.contract.js';
import { runRepositoryContract } from '../runs/run-repository.contract.js';
import { sqlRunRepository } from '../runs/sql-run-repository.js';
import { usageOutboxContract } from '../runs/usage-outbox.contract.js';
import { sqlUsageOutbox } from '../runs/usage-outbox.js';
import { branchesContract } from './branches.contract.js';
import { migrationsFolder } from './database.js';
import { delegationStoreContract } from './delegations.contract.js';
import { sqlDelegationStore } from './delegations.js';
import * as schema from './oracle-schema.js';
import { preferencesStoreContract } from './preferences.contract.js';
import { sqlPreferencesStore } from './preferences.js';
import { messageRetentionContract } from './retention.contract.js';
import { sqlMessageRetention } from './retention.js';
import { messageSearchContract } from './search.contract.js';
import { sqlMessageSearch } from './search.js';
import { conversationStoreContract } from './sessions.contract.js';
import { sqlConversationStore } from './sql-sessions.js';
import { summaryStoreContract } from './summaries.contract.js';
import { sqlSummaryStore } from './summaries.js';
import { turnMemoryContract } from './turn-memory.contract.js';
import { sqlTurnMemory } from './turn-memory.js';

/** Contracts of all stores on this database. */
function contracts(name: string, opened: () => DatabaseConnection<typeof schema>): void {
  conversationStoreContract(name, () => sqlConversationStore(opened().db));
  takeResultsContract(name, () => sqlConversationStore(opened().db));
  preferencesStoreContract(name, () => sqlPreferencesStore(opened().db));
  pluginStateStoreContract(name, () => sqlPluginStateStore(opened().db));
  apiKeyStoreContract(name, () => sqlApiKeyStore(opened().db));
  delegationStoreContract(name, () => sqlDelegationStore(opened().db));
  const openTalks = () => {
    const { db } = opened();
    return { conversations: sqlConversationStore(db), summaries: sqlSummaryStore(db) };
  };
  summaryStoreContract(name, openTalks);
  branchesContract(name, openTalks);
  messageSearchContract(name, () => {
    const { db } = opened();
    return { conversations: sqlConversationStore(db), search: sqlMessageSearch(db) };
  });
  messageRetentionContract(name, () => {
    const { db } = opened();
    return {
      retention: sqlMessageRetention(db),
      conversations: sqlConversationStore(db),
      summaries: sqlSummaryStore(db),
      runRepository: sqlRunRepository(db),
    };
  });
  ownDataStoreContract(name, () => {
    const { db } = opened();
    return {
      store: sqlAccountData(db),
      conversations: sqlConversationStore(db),
      summaries: sqlSummaryStore(db),
      runRepository: sqlRunRepository(db),
      calls: sqlCallRecords(db),
      preferences: sqlPreferencesStore(db),
      delegations: sqlDelegationStore(db),
      state: sqlPluginStateStore(db),
    };
  });
  runRepositoryContract(name, () => {
    const { db } = opened();
    return { runRepository: sqlRunRepository(db), conversations: sqlConversationStore(db) };
  });
  endAnsweredContract(name, () => {
    const { db } = opened();
    return { runRepository: sqlRunRepository(db), conversations: sqlConversationStore(db) };
  });
  turnMemoryContract(name, () => {
    const { db } = opened();
    const talks = openTalks();
    return { ...talks, memory: sqlTurnMemory(db, talks), preferences: sqlPreferencesStore(db) };
  });
  usageOutboxContract(name, () => {
    const { db } = opened();
    const [runRepository, conversations] = [sqlRunRepository(db), sqlConversationStore(db)];
    return { runRepository, conversations, usageOutbox: sqlUsageOutbox(db) };
  });
  callRecordsContract(name, () => {
    const { db } = opened();
    const conversations = sqlConversationStore(db);
    return {
      records: sqlCallRecords(db),
      addRun: async (run) => {
        await conversations.createSession(run.ownerDid, { sessionId: run.sessionId, createdAt: new Date(0) });
        const question = {
          messageId: 'q',
          turnId: run.runId,
          type: 'human' as const,
          content: 'hi',
          createdAt: new Date(0),
        };
        await sqlRunRepository(db).claim(run, { writerId: 'w', leaseMs: 1_000 }, question);
      },
      dropRun: async (run) => {
        await conversations.deleteSession(run.ownerDid, run.sessionId);
      },
    };
  });
}

const logger = createLogger({ service: 'test', level: 'silent' });

if (!runsIntegration)
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
    contracts('PGlite', () => database);
  });

if (runsIntegration)
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
    contracts('Postgres', () => database);
  });
