import type { SqlDatabase } from '@mlango/service-kit/database';
import { sqlUntoldUsage } from '../../src/agent/after/sql-untold-usage.js';
import { sqlApprovals } from '../../src/agent/calls/sql-approvals.js';
import { sqlCallRecords } from '../../src/agent/calls/sql-call-records.js';
import { sqlPausedTurns } from '../../src/agent/calls/sql-paused-turns.js';
import { sqlCreditLedger } from '../../src/plugins/credits/sql-credit-ledger.js';
import { MemoryRunSignals } from '../../src/runs/memory-run-signals.js';
import { MemoryRunStore } from '../../src/runs/memory-run-store.js';
import { sqlRunRegister } from '../../src/runs/sql-run-register.js';
import type * as schema from '../../src/store/oracle-schema.js';
import { sqlConversationStore } from '../../src/store/sql-conversation-store.js';
import { sqlSummaryStore } from '../../src/store/sql-summary-store.js';
import { sqlTurnMemory } from '../../src/store/sql-turn-memory.js';

export type Database = SqlDatabase<typeof schema>;

/** What processes share: one database, and in the place of Redis what a process without it has. */
export function sharedOn(db: Database, tick: () => Promise<void>, isRefusing: () => boolean) {
  const timed = <Port extends object>(port: Port): Port => onTime(port, tick);
  const ledger = sqlCreditLedger(db);
  const open = ledger.open.bind(ledger);
  ledger.open = async (...claim) => {
    if (isRefusing()) throw new Error('no claims now');
    await open(...claim);
  };
  const [conversations, summaries] = [sqlConversationStore(db), sqlSummaryStore(db)];
  return {
    conversations: timed(conversations),
    summaries: timed(summaries),
    memory: timed(sqlTurnMemory(db, { conversations, summaries })),
    register: timed(sqlRunRegister(db)),
    calls: timed(sqlCallRecords(db)),
    paused: timed(sqlPausedTurns(db)),
    approvals: timed(sqlApprovals(db)),
    untold: timed(sqlUntoldUsage(db)),
    ledger: timed(ledger),
    runs: new MemoryRunStore({ retentionMs: 3_600_000, limitChars: 10_000_000 }, Date.now),
    signals: new MemoryRunSignals(),
  };
}

/** The same, asked once its clock shows what time it is. */
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
