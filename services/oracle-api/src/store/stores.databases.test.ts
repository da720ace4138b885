import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseConnection, openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { runsIntegration } from '@mlango/test-services/required';
import { afterAll, beforeAll, describe } from 'vitest';
import { ownDataStoreContract } from '../account/account-data-store.contract.js';
import { AccountDataStore } from '../account/account-data-store.js';
import { callRecordsContract } from '../agent/loop/call-records.contract.js';
import { CallRecords } from '../agent/loop/sql-call-records.js';
import { apiKeyStoreContract } from '../identity/api-key-store.contract.js';
import { ApiKeyStore } from '../identity/api-key-store.js';
import { delegationStoreContract } from '../identity/delegation-store.contract.js';
import { DelegationStore } from '../identity/delegation-store.js';
import { pluginStateStoreContract } from '../plugins/host/state/plugin-state-store.contract.js';
import { PluginStateStore } from '../plugins/host/state/plugin-state-store.js';
import { takeResultsContract } from '../protocols/tool-results.contract.js';
import { endAnsweredContract } from '../runs/end-answered.contract.js';
import { runRepositoryContract } from '../runs/run-repository.contract.js';
import { sqlRunRepository } from '../runs/sql-run-repository.js';
import { usageOutboxContract } from '../runs/usage-outbox.contract.js';
import { UsageOutbox } from '../runs/usage-outbox.js';
import { branchesContract } from './branches.contract.js';
import { conversationStoreContract } from './conversation-store.contract.js';
import { ConversationStore } from './conversation-store.js';
import { migrationsFolder } from './database.js';
import * as schema from './oracle-schema.js';
import { preferencesStoreContract } from './preferences.contract.js';
import { PreferencesStore } from './preferences.js';
import { messageRetentionContract } from './retention.contract.js';
import { MessageRetention } from './retention.js';
import { messageSearchContract } from './search.contract.js';
import { MessageSearch } from './search.js';
import { summaryStoreContract } from './summaries.contract.js';
import { SummaryStore } from './summaries.js';
import { turnMemoryContract } from './turn-memory.contract.js';
import { TurnMemory } from './turn-memory.js';

/** Contracts of all stores on this database. */
function contracts(name: string, opened: () => DatabaseConnection<typeof schema>): void {
  conversationStoreContract(name, () => new ConversationStore(opened().db));
  takeResultsContract(name, () => new ConversationStore(opened().db));
  preferencesStoreContract(name, () => new PreferencesStore(opened().db));
  pluginStateStoreContract(name, () => new PluginStateStore(opened().db));
  apiKeyStoreContract(name, () => new ApiKeyStore(opened().db));
  delegationStoreContract(name, () => new DelegationStore(opened().db));
  const openTalks = () => {
    const { db } = opened();
    return { conversations: new ConversationStore(db), summaries: new SummaryStore(db) };
  };
  summaryStoreContract(name, openTalks);
  branchesContract(name, openTalks);
  messageSearchContract(name, () => {
    const { db } = opened();
    return { conversations: new ConversationStore(db), search: new MessageSearch(db) };
  });
  messageRetentionContract(name, () => {
    const { db } = opened();
    return {
      retention: new MessageRetention(db),
      conversations: new ConversationStore(db),
      summaries: new SummaryStore(db),
      runRepository: sqlRunRepository(db),
    };
  });
  ownDataStoreContract(name, () => {
    const { db } = opened();
    return {
      store: new AccountDataStore(db),
      conversations: new ConversationStore(db),
      summaries: new SummaryStore(db),
      runRepository: sqlRunRepository(db),
      calls: new CallRecords(db),
      preferences: new PreferencesStore(db),
      delegations: new DelegationStore(db),
      state: new PluginStateStore(db),
    };
  });
  runRepositoryContract(name, () => {
    const { db } = opened();
    return { runRepository: sqlRunRepository(db), conversations: new ConversationStore(db) };
  });
  endAnsweredContract(name, () => {
    const { db } = opened();
    return { runRepository: sqlRunRepository(db), conversations: new ConversationStore(db) };
  });
  turnMemoryContract(name, () => {
    const { db } = opened();
    const talks = openTalks();
    return { ...talks, memory: new TurnMemory(db, talks), preferences: new PreferencesStore(db) };
  });
  usageOutboxContract(name, () => {
    const { db } = opened();
    const [runRepository, conversations] = [sqlRunRepository(db), new ConversationStore(db)];
    return { runRepository, conversations, usageOutbox: new UsageOutbox(db) };
  });
  callRecordsContract(name, () => {
    const { db } = opened();
    const conversations = new ConversationStore(db);
    return {
      records: new CallRecords(db),
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
