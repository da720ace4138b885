import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { RunStart } from '../../runs/run-store.js';
import type * as schema from '../../store/schema.js';
import { toolCalls } from '../../store/schema.js';
import { storableJson } from '../../store/storable.js';
import type { CallOutcome, CallRecords, KeptCall, NewCall } from './call-records.js';

/** Calls of tools in Postgres or PGlite. */
export class SqlCallRecords implements CallRecords {
  readonly #db: SqlDatabase<typeof schema>;

  constructor(db: SqlDatabase<typeof schema>) {
    this.#db = db;
  }

  async begin({ runId }: RunStart, calls: readonly NewCall[]): Promise<void> {
    if (calls.length === 0) return;
    const rows = calls.map(({ id, plugin, name, kind, args }) => ({
      ...{ runId, callId: id, plugin, name, kind: kind ?? null },
      args: storableJson(args),
    }));
    await this.#db.insert(toolCalls).values(rows).onConflictDoNothing();
  }

  async end({ runId }: RunStart, callId: string, outcome: CallOutcome): Promise<void> {
    const isOpen = and(eq(toolCalls.runId, runId), eq(toolCalls.callId, callId), isNull(toolCalls.outcome));
    await this.#db
      .update(toolCalls)
      .set({ outcome: storableJson(outcome), endedAt: new Date() })
      .where(isOpen);
  }

  async ofRun({ runId }: RunStart): Promise<KeptCall[]> {
    const rows = await this.#db
      .select(columns)
      .from(toolCalls)
      .where(eq(toolCalls.runId, runId))
      .orderBy(asc(toolCalls.position));
    return rows.map(({ kind, outcome, ...call }) => ({
      ...call,
      ...(kind === null ? {} : { kind }),
      ...(outcome === null ? {} : { outcome }),
    }));
  }
}

const columns = {
  id: toolCalls.callId,
  plugin: toolCalls.plugin,
  name: toolCalls.name,
  kind: toolCalls.kind,
  args: toolCalls.args,
  outcome: toolCalls.outcome,
};
