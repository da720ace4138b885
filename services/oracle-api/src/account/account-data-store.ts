import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { lockCreation } from '../store/conversation-store.js';
import type { OracleDatabase, StaleOracleDatabase } from '../store/database.js';
import * as schema from '../store/oracle-schema.js';
import type { OwnRow, RetainedRows } from './account-data.js';
import { type OwnedRows, ownRows, rowsByKind } from './sql-account-rows.js';

/** Result of a deletion: deleted and retained rows, and the sessions and runs to remove from Redis. */
export interface ForgottenUser {
  /** Rows, by kind. */
  readonly deleted: Readonly<Record<string, number>>;
  /** Rows that stay until their usage is reported. */
  readonly retained: readonly RetainedRows[];
  readonly sessionIds: readonly string[];
  readonly runIds: readonly string[];
}

/**
 * All data of a user in the oracle's own tables; plugins handle their tables.
 *
 * Ownership: every call takes the owner's DID and touches only rows of that owner.
 * Memory: an export reads a few rows at a time.
 * Atomicity: `forget` is one transaction. Messages, sessions and runs of the owner are created before it, and deleted, or after it.
 * Failure: an unavailable store rejects and changes nothing.
 * Exports read `stale`, which may be some seconds old.
 */
export class AccountDataStore {
  readonly #db: OracleDatabase;
  readonly #stale: StaleOracleDatabase;

  constructor(db: OracleDatabase, stale: StaleOracleDatabase = db) {
    this.#db = db;
    this.#stale = stale;
  }

  export(ownerDid: string): AsyncIterable<OwnRow> {
    return exportUser(this.#stale, ownerDid);
  }

  /** Sessions with queued, running or suspended runs. */
  busySessions(ownerDid: string): Promise<string[]> {
    return busySessions(this.#db, ownerDid);
  }

  /** Runs whose frames a deletion removes before the rows. Rejects when the store is unavailable. */
  async endedRuns(ownerDid: string): Promise<string[]> {
    const isEnded = and(eq(runs.ownerDid, ownerDid), isNotNull(runs.endedAt), ne(runs.status, 'waiting'));
    const rows = await this.#db.select({ runId: runs.runId }).from(runs).where(isEnded);
    return rows.map(({ runId }) => runId);
  }

  /** Deletes the newest messages in batches if the user has too many for one transaction. Returns the number. */
  deleteNewest(ownerDid: string): Promise<number> {
    return deleteNewestMessages(this.#db, ownerDid);
  }

  /** `busy`, without a change, while a run of the owner is active. */
  forget(ownerDid: string): Promise<ForgottenUser | 'busy'> {
    return forgetUser(this.#db, ownerDid);
  }
}

const { sessions, messages, conversationSummaries, branchSummaries, runs, toolCalls, approvalRules } = schema;
const { preferences, roomPreferences, delegations, apiKeys, pluginState, ucanRevocations, unreportedUsage } = schema;

/** Rows of a user by kind, without the owner column and without sealed data. */
function exportUser(db: StaleOracleDatabase, did: string): AsyncIterable<OwnRow> {
  const own = (table: Parameters<typeof ownRows>[0], by: readonly string[], columns?: OwnedRows['columns']) =>
    ownRows(table, did, by, columns);
  const ownRuns = db.select({ runId: runs.runId }).from(runs).where(eq(runs.ownerDid, did));
  return rowsByKind(db, {
    sessions: own(sessions, ['sessionId']),
    messages: own(messages, ['position']),
    summaries: {
      ...own(
        conversationSummaries,
        ['sessionId'],
        columnsOf(conversationSummaries, 'sessionId', 'text', 'sources', 'updatedAt'),
      ),
      isOwned: inArray(conversationSummaries.sessionId, sessionIdsOf(db, did)),
    },
    'branch-summaries': {
      ...own(
        branchSummaries,
        ['sessionId', 'branch'],
        columnsOf(branchSummaries, 'sessionId', 'branch', 'text', 'sources', 'updatedAt'),
      ),
      isOwned: inArray(branchSummaries.sessionId, sessionIdsOf(db, did)),
    },
    runs: own(
      runs,
      ['position'],
      columnsOf(runs, 'runId', 'sessionId', 'requestId', 'position', 'status', 'partialText', 'createdAt', 'endedAt'),
    ),
    'untold-usage': own(unreportedUsage, ['runId', 'part'], columnsOf(unreportedUsage, 'runId', 'part', 'usage')),
    'tool-calls': {
      table: toolCalls,
      isOwned: inArray(toolCalls.runId, ownRuns),
      columns: getTableColumns(toolCalls),
      by: ['position'],
    },
    'approval-rules': own(
      approvalRules,
      ['ruleId'],
      columnsOf(approvalRules, 'ruleId', 'plugin', 'tool', 'says', 'createdAt'),
    ),
    preferences: own(preferences, []),
    'room-preferences': own(roomPreferences, ['roomId']),
    // Only its expiry: the token is sealed, and the user has it.
    delegations: own(delegations, [], columnsOf(delegations, 'expiresAt')),
    'api-keys': own(
      apiKeys,
      ['keyId'],
      columnsOf(apiKeys, 'keyId', 'name', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt'),
    ),
    'plugin-state': own(pluginState, ['plugin', 'key'], columnsOf(pluginState, 'plugin', 'key', 'value', 'expiresAt')),
    revocations: {
      table: ucanRevocations,
      isOwned: eq(ucanRevocations.issuer, did),
      columns: columnsOf(ucanRevocations, 'cid', 'expiresAt'),
      by: ['cid'],
    },
  });
}

function columnsOf<Table extends PgTable>(table: Table, ...names: (keyof Table['_']['columns'] & string)[]) {
  const columns: OwnedRows['columns'] = getTableColumns(table);
  return Object.fromEntries(names.flatMap((name) => (columns[name] ? [[name, columns[name]]] : [])));
}

/** Summaries have no index on the owner. */
function sessionIdsOf(db: StaleOracleDatabase, did: string) {
  return db.select({ sessionId: sessions.sessionId }).from(sessions).where(eq(sessions.ownerDid, did));
}

/** Sessions with queued, running or suspended runs. */
async function busySessions(db: OracleDatabase, did: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ sessionId: runs.sessionId })
    .from(runs)
    .where(and(eq(runs.ownerDid, did), or(isNull(runs.endedAt), eq(runs.status, 'waiting'))));
  return rows.map(({ sessionId }) => sessionId);
}

/** Messages per transaction, within the statement timeout. */
const messagesAtOnce = 5_000;

export async function deleteNewestMessages(db: OracleDatabase, did: string, atOnce = messagesAtOnce): Promise<number> {
  for (let total = 0; ; ) {
    const part = db
      .select({ sessionId: messages.sessionId, messageId: messages.messageId })
      .from(messages)
      .where(eq(messages.ownerDid, did))
      .orderBy(asc(messages.position))
      .limit(atOnce)
      .offset(atOnce);
    const deleted = await db
      .delete(messages)
      .where(sql`(${messages.sessionId}, ${messages.messageId}) in ${part}`)
      .returning({ position: messages.position });
    if (deleted.length === 0) return total;
    total += deleted.length;
  }
}

const stillToCharge = 'This usage has not been counted yet.';

/** Rolls the transaction back while a run is active. */
class Busy extends Error {}

async function forgetUser(db: OracleDatabase, did: string): Promise<ForgottenUser | 'busy'> {
  try {
    return await db.transaction(async (tx) => {
      // Locks out new sessions and messages until the deletion is committed.
      await lockCreation(tx, did);
      const own = await tx
        .select({ sessionId: sessions.sessionId })
        .from(sessions)
        .where(eq(sessions.ownerDid, did))
        .for('update');
      const theirs = (of: typeof conversationSummaries | typeof branchSummaries) =>
        inArray(of.sessionId, sessionIdsOf(tx, did));
      const ownRuns = tx.select({ runId: runs.runId }).from(runs).where(eq(runs.ownerDid, did));
      // Deleted with their runs and sessions.
      const cascaded = {
        messages: await tx.$count(messages, eq(messages.ownerDid, did)),
        summaries: await tx.$count(conversationSummaries, theirs(conversationSummaries)),
        'branch-summaries': await tx.$count(branchSummaries, theirs(branchSummaries)),
        'tool-calls': await tx.$count(toolCalls, inArray(toolCalls.runId, ownRuns)),
      };
      const ended = await tx
        .delete(runs)
        .where(eq(runs.ownerDid, did))
        .returning({ runId: runs.runId, endedAt: runs.endedAt });
      if (ended.some(({ endedAt }) => endedAt === null)) throw new Busy();
      await tx.delete(sessions).where(eq(sessions.ownerDid, did));
      const deletedFrom = async (table: PgTable & { readonly ownerDid: PgColumn }) =>
        (await tx.delete(table).where(eq(table.ownerDid, did)).returning({ did: table.ownerDid })).length;
      const unreported = await tx.$count(unreportedUsage, eq(unreportedUsage.ownerDid, did));
      return {
        deleted: {
          sessions: own.length,
          ...cascaded,
          runs: ended.length,
          'approval-rules': await deletedFrom(approvalRules),
          preferences: await deletedFrom(preferences),
          'room-preferences': await deletedFrom(roomPreferences),
          delegations: await deletedFrom(delegations),
          'api-keys': await deletedFrom(apiKeys),
          'plugin-state': await deletedFrom(pluginState),
        },
        retained: unreported === 0 ? [] : [{ kind: 'untold-usage', count: unreported, why: stillToCharge }],
        sessionIds: own.map(({ sessionId }) => sessionId),
        runIds: ended.map(({ runId }) => runId),
      };
    });
  } catch (error) {
    if (error instanceof Busy) return 'busy';
    throw error;
  }
}
