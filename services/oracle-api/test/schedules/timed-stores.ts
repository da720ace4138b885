import type { SqlDatabase } from '@mlango/service-kit/database';
import { Approvals } from '../../src/agent/loop/sql-approvals.js';
import { CallRecords } from '../../src/agent/loop/sql-call-records.js';
import { SuspendedRuns } from '../../src/agent/loop/suspended-runs.js';
import { CreditLedger } from '../../src/plugins/credits/credit-ledger.js';
import { PluginStateStore } from '../../src/plugins/host/state/plugin-state-store.js';
import { MemoryRunLogStore } from '../../src/runs/log/memory.js';
import { MemoryRunSignals } from '../../src/runs/signals.js';
import { sqlRunRepository } from '../../src/runs/sql-run-repository.js';
import { UsageOutbox } from '../../src/runs/usage-outbox.js';
import { ConversationStore } from '../../src/store/conversation-store.js';
import type * as schema from '../../src/store/oracle-schema.js';
import { SummaryStore } from '../../src/store/summaries.js';
import { TurnMemory } from '../../src/store/turn-memory.js';

export type Database = SqlDatabase<typeof schema>;

/** Stores that the processes share: one database, and in-memory stores in place of Redis. */
export function sharedOn(db: Database, tick: () => Promise<void>, isRefusing: () => boolean) {
  const timed = <Port extends object>(port: Port): Port => onTime(port, tick);
  const ledger = new CreditLedger(db);
  const open = ledger.open.bind(ledger);
  ledger.open = async (...claim) => {
    if (isRefusing()) throw new Error('no claims now');
    await open(...claim);
  };
  const [conversations, summaries] = [new ConversationStore(db), new SummaryStore(db)];
  return {
    conversations: timed(conversations),
    summaries: timed(summaries),
    memory: timed(new TurnMemory(db, { conversations, summaries })),
    runRepository: timed(sqlRunRepository(db)),
    calls: timed(new CallRecords(db)),
    paused: timed(new SuspendedRuns(db)),
    approvals: timed(new Approvals(db)),
    usageOutbox: timed(new UsageOutbox(db)),
    pluginState: timed(new PluginStateStore(db)),
    ledger: timed(ledger),
    runs: new MemoryRunLogStore({ retentionMs: 3_600_000, limitChars: 10_000_000 }, Date.now),
    signals: new MemoryRunSignals(),
  };
}

/** The same store, called after its clock is up to date. */
function onTime<Port extends object>(port: Port, tick: () => Promise<void>): Port {
  return new Proxy(port, {
    get: (_, name) => {
      const member: unknown = Reflect.get(port, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        await tick();
        return member.apply(port, args);
      };
    },
  });
}

export type Shared = ReturnType<typeof sharedOn>;
