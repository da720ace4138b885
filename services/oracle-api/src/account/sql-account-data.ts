import { and, asc, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { KeptRows, OwnRow } from '../plugins/api/account-data.js';
import type { OracleDatabase, StaleOracleDatabase } from '../store/database.js';
import { type OwnedRows, ownRows, rowsByKind } from '../store/messages.js';
import * as schema from '../store/oracle-schema.js';
import { lockCreation } from '../store/sql-sessions.js';

/** What is gone from the database, and what has to go elsewhere too. */
export interface ForgottenUser {
  /** Rows, by kind. */
  readonly deleted: Readonly<Record<string, number>>;
  /** What stays until it has been told, and goes then. */
  readonly kept: readonly KeptRows[];
  readonly sessionIds: readonly string[];
  readonly runIds: readonly string[];
}

/**
 * All that the oracle itself keeps of a user; what plugins keep in tables of their own is theirs to tell.
 *
 * Ownership: every call takes the owner's DID and touches only what is that owner's.
 * Memory: an export reads a few rows at a time, when they are asked for.
 * Atomicity: forgetting is one step. No message is kept, no session made and no run begun for the owner while it is under way:
 * what comes at the same time is before it and gone, or after it and finds nothing.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface AccountDataStore {
  export(ownerDid: string): AsyncIterable<OwnRow>;
  /** Sessions with runs that have not ended, or that wait for their user. */
  busySessions(ownerDid: string): Promise<string[]>;
  /** Deletes the newest messages of somebody who has more than go in one step, a part at a time. Gives how many. */
  deleteNewest(ownerDid: string): Promise<number>;
  /** `busy`, and nothing is changed, while a run of the owner has not ended. */
  forget(ownerDid: string): Promise<ForgottenUser | 'busy'>;
}

/** What is kept of users in Postgres or PGlite. What is exported may be some seconds old where `stale` is. */
export function sqlAccountData(db: OracleDatabase, stale: StaleOracleDatabase = db): AccountDataStore {
  return {
    export: (ownerDid) => exportUser(stale, ownerDid),
    busySessions: (ownerDid) => busySessions(db, ownerDid),
    deleteNewest: (ownerDid) => deleteNewestMessages(db, ownerDid),
    forget: (ownerDid) => forgetUser(db, ownerDid),
  };
}

const { sessions, messages, conversationSummaries, branchSummaries, runs, toolCalls, approvalRules } = schema;
const { preferences, roomPreferences, delegations, apiKeys, pluginState, ucanRevocations, untoldUsage } = schema;

/** What the oracle keeps of a user, by kind. Left out is the owner, who is known, and what is sealed: only the oracle can open it. */
export function exportUser(db: StaleOracleDatabase, did: string): AsyncIterable<OwnRow> {
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
    'untold-usage': own(untoldUsage, ['runId', 'part'], columnsOf(untoldUsage, 'runId', 'part', 'usage')),
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
    // That there is one, and until when: the token itself is sealed, and its user has it.
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

/** Summaries have no other index by their owner. */
export function sessionIdsOf(db: StaleOracleDatabase, did: string) {
  return db.select({ sessionId: sessions.sessionId }).from(sessions).where(eq(sessions.ownerDid, did));
}

/** Sessions with runs that have not ended, or that wait. */
export async function busySessions(db: OracleDatabase, did: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ sessionId: runs.sessionId })
    .from(runs)
    .where(and(eq(runs.ownerDid, did), or(isNull(runs.endedAt), eq(runs.status, 'waiting'))));
  return rows.map(({ sessionId }) => sessionId);
}

/** So many messages go in one step, well within the time that a statement has. */
const messagesAtOnce = 5_000;

export async function deleteNewestMessages(db: OracleDatabase, did: string, atOnce = messagesAtOnce): Promise<number> {
  for (let gone = 0; ; ) {
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
    if (deleted.length === 0) return gone;
    gone += deleted.length;
  }
}

const stillToCharge = 'You have used this, and it has not been counted yet.';

/** A run has not ended: what was deleted so far is undone. */
class Busy extends Error {}

export async function forgetUser(db: OracleDatabase, did: string): Promise<ForgottenUser | 'busy'> {
  try {
    return await db.transaction(async (tx) => {
      // No session is made meanwhile, and no message is kept: each waits for the lock of its session, which is gone then.
      await lockCreation(tx, did);
      const own = await tx
        .select({ sessionId: sessions.sessionId })
        .from(sessions)
        .where(eq(sessions.ownerDid, did))
        .for('update');
      const theirs = (of: typeof conversationSummaries | typeof branchSummaries) =>
        inArray(of.sessionId, sessionIdsOf(tx, did));
      const ownRuns = tx.select({ runId: runs.runId }).from(runs).where(eq(runs.ownerDid, did));
      // They go with what they belong to.
      const gone = {
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
      const untold = await tx.$count(untoldUsage, eq(untoldUsage.ownerDid, did));
      return {
        deleted: {
          sessions: own.length,
          ...gone,
          runs: ended.length,
          'approval-rules': await deletedFrom(approvalRules),
          preferences: await deletedFrom(preferences),
          'room-preferences': await deletedFrom(roomPreferences),
          delegations: await deletedFrom(delegations),
          'api-keys': await deletedFrom(apiKeys),
          'plugin-state': await deletedFrom(pluginState),
        },
        kept: untold === 0 ? [] : [{ kind: 'untold-usage', count: untold, why: stillToCharge }],
        sessionIds: own.map(({ sessionId }) => sessionId),
        runIds: ended.map(({ runId }) => runId),
      };
    });
  } catch (error) {
    if (error instanceof Busy) return 'busy';
    throw error;
  }
}
