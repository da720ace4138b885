import { openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { expect, onTestFinished, TestRunner } from 'vitest';
import { Approvals } from '../src/agent/loop/sql-approvals.js';
import { CallRecords } from '../src/agent/loop/sql-call-records.js';
import { SuspendedRuns } from '../src/agent/loop/suspended-runs.js';
import { DelegationStore } from '../src/identity/delegation-store.js';
import type { PluginTables } from '../src/plugins/api/plugin-storage.js';
import { tables as attachments } from '../src/plugins/attachments/tables.js';
import { tables as calls } from '../src/plugins/calls/tables.js';
import { tables as credits } from '../src/plugins/credits/tables.js';
import { tables as feedback } from '../src/plugins/feedback/tables.js';
import { tablesOwner } from '../src/plugins/host/plugin-tables.js';
import { PluginStateStore } from '../src/plugins/host/state/plugin-state-store.js';
import { tables as memory } from '../src/plugins/memory/tables.js';
import type { RunStart } from '../src/runs/log/store.js';
import { sqlRunRepository } from '../src/runs/sql-run-repository.js';
import { UsageOutbox } from '../src/runs/usage-outbox.js';
import { ConversationStore } from '../src/store/conversation-store.js';
import { migrationsFolder, type OracleDatabase } from '../src/store/database.js';
import * as schema from '../src/store/oracle-schema.js';
import { PreferencesStore } from '../src/store/preferences.js';
import { MessageSearch } from '../src/store/search.js';
import { SummaryStore } from '../src/store/summaries.js';
import { TurnMemory } from '../src/store/turn-memory.js';

const pluginTables: Readonly<Record<string, PluginTables<unknown>>> = { attachments, calls, credits, feedback, memory };

const ownedTables = Object.entries(pluginTables).map(([name, { names, migrations }]) => ({
  owner: tablesOwner(name),
  names,
  migrations,
  refersTo: ['sessions'],
}));

const logger = createLogger({ service: 'test', level: 'silent' });

/** Databases that were opened outside a test, and the test file that opened them. */
const ofFile = { path: undefined as string | undefined, closers: [] as (() => Promise<void>)[] };
const closerOf = new WeakMap<OracleDatabase, () => Promise<void>>();

/** Lets an app close the database that was opened for it outside a test, so that the next app need not start one. */
export function closeWith(app: { close(): Promise<unknown> }, { db }: TestStores): void {
  const closeApp = app.close.bind(app);
  const close = async () => {
    await closeApp();
    await closerOf.get(db)?.();
  };
  Object.assign(app, { close });
}

/** Opens an empty embedded database. It is closed after the test, or outside a test before the next file opens one. */
async function openTestDatabase(): Promise<OracleDatabase> {
  const { testPath } = expect.getState();
  if (ofFile.path !== testPath) {
    ofFile.path = testPath;
    for (const close of ofFile.closers.splice(0)) await close();
  }
  const { db, close } = await openDatabase({
    dataDir: 'memory://reused',
    schema,
    migrationsFolder,
    ownedTables,
    logger,
  });
  if (TestRunner.getCurrentTest() === undefined) {
    ofFile.closers.push(close);
    closerOf.set(db, close);
  } else onTestFinished(close);
  return db;
}

/** The stores of an oracle and of the bundled plugins, on an empty embedded database. */
export async function openTestStores(): Promise<TestStores> {
  return storesOn(await openTestDatabase());
}

/** The stores on a database. */
export function storesOn(db: OracleDatabase) {
  const [conversations, summaries] = [new ConversationStore(db), new SummaryStore(db)];
  return {
    db,
    conversations,
    summaries,
    memory: new TurnMemory(db, { conversations, summaries }),
    search: new MessageSearch(db),
    preferences: new PreferencesStore(db),
    delegations: new DelegationStore(db),
    runRepository: sqlRunRepository(db),
    calls: new CallRecords(db),
    suspended: new SuspendedRuns(db),
    approvals: new Approvals(db),
    usageOutbox: new UsageOutbox(db),
    pluginState: new PluginStateStore(db),
    /** Stores a running run of an existing session, without its message. */
    addRun: async (run: RunStart) => {
      await db.insert(schema.runs).values({ ...run, status: 'running', writerId: 'w', leaseUntil: new Date(0) });
    },
    /** Opens the store of a bundled plugin. */
    openTables: (plugin: string): unknown => pluginTables[plugin]?.open(db),
  };
}

export type TestStores = ReturnType<typeof storesOn>;
