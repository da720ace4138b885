import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { runs } from '../runs/schema.js';
import { moment } from '../store/schema.js';
import type { ApprovalAsk, CallOutcome } from './loop/call-records.js';
import type { SuspendedRunState } from './turn-request.js';
import type { MeteredTurn } from './usage.js';

/** What turns took of which a meter could not be told. Without the session's key: nobody gets rid of a charge by deleting what it is for. */
export const unreportedUsage = pgTable(
  'untold_usage',
  {
    runId: text('run_id').notNull(),
    part: integer('part').notNull(),
    ownerDid: text('owner_did').notNull(),
    usage: jsonb('usage').$type<Omit<MeteredTurn, 'runId' | 'part' | 'ownerDid' | 'waitsUntil'>>().notNull(),
    waitsUntil: moment('waits_until'),
    /** How often meters were told again, and from when on that may be done once more. */
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.part] }),
    index('untold_usage_due_idx').on(table.nextAttemptAt),
    index('untold_usage_owner_idx').on(table.ownerDid, table.runId),
  ],
);

/** What the tools of runs were asked to do: written before a call is made, and what came of it after. */
export const toolCalls = pgTable(
  'tool_calls',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.runId, { onDelete: 'cascade' }),
    callId: text('call_id').notNull(),
    /** Order within the run. */
    position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    plugin: text('plugin').notNull(),
    name: text('name').notNull(),
    kind: text('kind', { enum: ['action'] }),
    args: jsonb('args').$type<Readonly<Record<string, unknown>>>().notNull(),
    /** Null while nobody knows whether it took effect. */
    outcome: jsonb('outcome').$type<CallOutcome>(),
    begunAt: moment('begun_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
    /** Of a call that somebody has to allow first: whether they did, and whether it was begun then. */
    approval: text('approval', { enum: ['waiting', 'allowed', 'denied', 'begun'] }),
    /** What they are asked. */
    ask: jsonb('ask').$type<ApprovalAsk>(),
    /** Until then it waits. */
    expiresAt: moment('expires_at'),
    /** What they said to it. */
    why: text('why'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.callId] }),
    index('tool_calls_waiting_idx').on(table.expiresAt).where(sql`approval = 'waiting'`),
  ],
);

/** What a turn that waits for its user goes on with. */
export const suspendedRuns = pgTable('paused_turns', {
  runId: text('run_id')
    .primaryKey()
    .references(() => runs.runId, { onDelete: 'cascade' }),
  state: jsonb('state').$type<SuspendedRunState>().notNull(),
});

/** What users have said of tools for good: that they are allowed, or that they want to be asked. */
export const approvalRules = pgTable(
  'approval_rules',
  {
    ruleId: text('rule_id').primaryKey(),
    ownerDid: text('owner_did').notNull(),
    plugin: text('plugin').notNull(),
    tool: text('tool').notNull(),
    says: text('says').$type<'allow' | 'ask'>().notNull().default('allow'),
    /** Of the tool as it was then: for another one nothing is allowed. */
    fingerprint: text('fingerprint').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [unique('approval_rules_tool_key').on(table.ownerDid, table.plugin, table.tool)],
);
