import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, asc, eq, getTableColumns, gt, inArray, sql } from 'drizzle-orm';
import { inPages, pageRows } from '../plugin-kit/in-pages.js';
import type { OwnRow } from '../plugin-kit/own-rows.js';
import * as schema from '../store/schema.js';

const { sessions, messages, conversationSummaries, runs, toolCalls, approvalRules } = schema;
const { preferences, roomPreferences, delegations, pluginState, ucanRevocations, untoldUsage } = schema;

type Database = SqlDatabase<typeof schema>;
type Rows = AsyncIterable<Readonly<Record<string, unknown>>>;

/** What the oracle keeps of a user, by kind. Left out is the owner, who is known, and what is sealed: only the oracle can open it. */
export async function* exportUser(db: Database, ownerDid: string): AsyncGenerator<OwnRow, void> {
  const kinds: [string, Rows][] = [
    ['sessions', sessionsOf(db, ownerDid)],
    ['messages', messagesOf(db, ownerDid)],
    ['summaries', summariesOf(db, ownerDid)],
    ['runs', runsOf(db, ownerDid)],
    ['untold-usage', untoldUsageOf(db, ownerDid)],
    ['tool-calls', toolCallsOf(db, ownerDid)],
    ['approval-rules', approvalRulesOf(db, ownerDid)],
    ['preferences', preferencesOf(db, ownerDid)],
    ['room-preferences', roomPreferencesOf(db, ownerDid)],
    ['delegations', delegationsOf(db, ownerDid)],
    ['plugin-state', pluginStateOf(db, ownerDid)],
    ['revocations', revocationsOf(db, ownerDid)],
  ];
  for (const [kind, rows] of kinds) for await (const row of rows) yield { kind, row };
}

function sessionsOf(db: Database, did: string): Rows {
  const { ownerDid, ...columns } = getTableColumns(sessions);
  return inPages((after?: { sessionId: string }) =>
    db
      .select(columns)
      .from(sessions)
      .where(and(eq(ownerDid, did), gt(columns.sessionId, after?.sessionId ?? '')))
      .orderBy(asc(columns.sessionId))
      .limit(pageRows),
  );
}

function messagesOf(db: Database, did: string): Rows {
  const { ownerDid, ...columns } = getTableColumns(messages);
  return inPages((after?: { position: number }) =>
    db
      .select(columns)
      .from(messages)
      .where(and(eq(ownerDid, did), gt(columns.position, after?.position ?? 0)))
      .orderBy(asc(columns.position))
      .limit(pageRows),
  );
}

function summariesOf(db: Database, did: string): Rows {
  const { sessionId, text, sources, updatedAt } = conversationSummaries;
  return inPages((after?: { sessionId: string }) =>
    db
      .select({ sessionId, text, sources, updatedAt })
      .from(conversationSummaries)
      .where(and(inArray(sessionId, sessionIdsOf(db, did)), gt(sessionId, after?.sessionId ?? '')))
      .orderBy(asc(sessionId))
      .limit(pageRows),
  );
}

/** Summaries have no other index by their owner. */
export function sessionIdsOf(db: Pick<Database, 'select'>, did: string) {
  return db.select({ sessionId: sessions.sessionId }).from(sessions).where(eq(sessions.ownerDid, did));
}

function runsOf(db: Database, did: string): Rows {
  const { runId, sessionId, requestId, position, status, partialText, createdAt, endedAt } = runs;
  return inPages((after?: { position: number }) =>
    db
      .select({ runId, sessionId, requestId, position, status, partialText, createdAt, endedAt })
      .from(runs)
      .where(and(eq(runs.ownerDid, did), gt(position, after?.position ?? 0)))
      .orderBy(asc(position))
      .limit(pageRows),
  );
}

function untoldUsageOf(db: Database, did: string): Rows {
  const { runId, part, usage } = untoldUsage;
  return inPages((after?: { runId: string; part: number }) =>
    db
      .select({ runId, part, usage })
      .from(untoldUsage)
      .where(
        and(eq(untoldUsage.ownerDid, did), sql`(${runId}, ${part}) > (${after?.runId ?? ''}, ${after?.part ?? 0})`),
      )
      .orderBy(asc(runId), asc(part))
      .limit(pageRows),
  );
}

function toolCallsOf(db: Database, did: string): Rows {
  const columns = getTableColumns(toolCalls);
  return inPages((after?: { position: number }) =>
    db
      .select(columns)
      .from(toolCalls)
      .innerJoin(runs, eq(runs.runId, columns.runId))
      .where(and(eq(runs.ownerDid, did), gt(columns.position, after?.position ?? 0)))
      .orderBy(asc(columns.position))
      .limit(pageRows),
  );
}

function approvalRulesOf(db: Database, did: string): Rows {
  const { ruleId, plugin, tool, says, createdAt } = approvalRules;
  return inPages((after?: { ruleId: string }) =>
    db
      .select({ ruleId, plugin, tool, says, createdAt })
      .from(approvalRules)
      .where(and(eq(approvalRules.ownerDid, did), gt(ruleId, after?.ruleId ?? '')))
      .orderBy(asc(ruleId))
      .limit(pageRows),
  );
}

function preferencesOf(db: Database, did: string): Rows {
  const { ownerDid, ...columns } = getTableColumns(preferences);
  return inPages((after?: object) =>
    after === undefined ? db.select(columns).from(preferences).where(eq(ownerDid, did)) : Promise.resolve([]),
  );
}

function roomPreferencesOf(db: Database, did: string): Rows {
  const { ownerDid, ...columns } = getTableColumns(roomPreferences);
  return inPages((after?: { roomId: string }) =>
    db
      .select(columns)
      .from(roomPreferences)
      .where(and(eq(ownerDid, did), gt(columns.roomId, after?.roomId ?? '')))
      .orderBy(asc(columns.roomId))
      .limit(pageRows),
  );
}

/** That there is one, and until when: the token itself is sealed, and its user has it. */
function delegationsOf(db: Database, did: string): Rows {
  const { ownerDid, expiresAt } = delegations;
  return inPages((after?: object) =>
    after === undefined ? db.select({ expiresAt }).from(delegations).where(eq(ownerDid, did)) : Promise.resolve([]),
  );
}

function pluginStateOf(db: Database, did: string): Rows {
  const { ownerDid, version: _version, ...columns } = getTableColumns(pluginState);
  const place = sql`(${columns.plugin}, ${columns.key})`;
  return inPages((after?: { plugin: string; key: string }) =>
    db
      .select(columns)
      .from(pluginState)
      .where(and(eq(ownerDid, did), sql`${place} > (${after?.plugin ?? ''}, ${after?.key ?? ''})`))
      .orderBy(asc(columns.plugin), asc(columns.key))
      .limit(pageRows),
  );
}

function revocationsOf(db: Database, did: string): Rows {
  const { cid, expiresAt, issuer } = ucanRevocations;
  return inPages((after?: { cid: string }) =>
    db
      .select({ cid, expiresAt })
      .from(ucanRevocations)
      .where(and(eq(issuer, did), gt(cid, after?.cid ?? '')))
      .orderBy(asc(cid))
      .limit(pageRows),
  );
}
