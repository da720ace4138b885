import { eq, getTableColumns, inArray } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { OwnRow } from '../plugins/api/own-rows.js';
import type { StaleOracleDatabase } from '../store/oracle-database.js';
import * as schema from '../store/oracle-schema.js';
import { type OwnedRows, ownRows, rowsByKind } from '../store/sql-rows-in-order.js';

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
        told(conversationSummaries, 'sessionId', 'text', 'sources', 'updatedAt'),
      ),
      isOwned: inArray(conversationSummaries.sessionId, sessionIdsOf(db, did)),
    },
    'branch-summaries': {
      ...own(
        branchSummaries,
        ['sessionId', 'branch'],
        told(branchSummaries, 'sessionId', 'branch', 'text', 'sources', 'updatedAt'),
      ),
      isOwned: inArray(branchSummaries.sessionId, sessionIdsOf(db, did)),
    },
    runs: own(
      runs,
      ['position'],
      told(runs, 'runId', 'sessionId', 'requestId', 'position', 'status', 'partialText', 'createdAt', 'endedAt'),
    ),
    'untold-usage': own(untoldUsage, ['runId', 'part'], told(untoldUsage, 'runId', 'part', 'usage')),
    'tool-calls': {
      table: toolCalls,
      isOwned: inArray(toolCalls.runId, ownRuns),
      columns: getTableColumns(toolCalls),
      by: ['position'],
    },
    'approval-rules': own(
      approvalRules,
      ['ruleId'],
      told(approvalRules, 'ruleId', 'plugin', 'tool', 'says', 'createdAt'),
    ),
    preferences: own(preferences, []),
    'room-preferences': own(roomPreferences, ['roomId']),
    // That there is one, and until when: the token itself is sealed, and its user has it.
    delegations: own(delegations, [], told(delegations, 'expiresAt')),
    'api-keys': own(
      apiKeys,
      ['keyId'],
      told(apiKeys, 'keyId', 'name', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt'),
    ),
    'plugin-state': own(pluginState, ['plugin', 'key'], told(pluginState, 'plugin', 'key', 'value', 'expiresAt')),
    revocations: {
      table: ucanRevocations,
      isOwned: eq(ucanRevocations.issuer, did),
      columns: told(ucanRevocations, 'cid', 'expiresAt'),
      by: ['cid'],
    },
  });
}

function told<Table extends PgTable>(table: Table, ...names: (keyof Table['_']['columns'] & string)[]) {
  const columns: OwnedRows['columns'] = getTableColumns(table);
  return Object.fromEntries(names.flatMap((name) => (columns[name] ? [[name, columns[name]]] : [])));
}

/** Summaries have no other index by their owner. */
export function sessionIdsOf(db: StaleOracleDatabase, did: string) {
  return db.select({ sessionId: sessions.sessionId }).from(sessions).where(eq(sessions.ownerDid, did));
}
