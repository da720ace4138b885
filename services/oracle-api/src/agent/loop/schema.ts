import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { moment, runs } from '../../store/schema.js';
import type { SuspendedRunState } from '../turn-request.js';
import type { ApprovalRequest, CallOutcome } from './call-records.js';

/** Calls of tools: written before a call is made, completed with its outcome. */
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
    /** Null while the outcome is unknown. */
    outcome: jsonb('outcome').$type<CallOutcome>(),
    begunAt: moment('begun_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
    /** For a call that requires approval: the decision, and whether the call was begun. */
    approval: text('approval', { enum: ['waiting', 'allowed', 'denied', 'begun'] }),
    /** The approval request. */
    approvalRequest: jsonb('ask').$type<ApprovalRequest>(),
    /** Deadline of the approval. */
    expiresAt: moment('expires_at'),
    /** The owner's reason. */
    why: text('why'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.callId] }),
    index('tool_calls_waiting_idx').on(table.expiresAt).where(sql`approval = 'waiting'`),
  ],
);

/** State from which a suspended turn resumes. */
export const suspendedRuns = pgTable('paused_turns', {
  runId: text('run_id')
    .primaryKey()
    .references(() => runs.runId, { onDelete: 'cascade' }),
  state: jsonb('state').$type<SuspendedRunState>().notNull(),
});

/** Users' rules for tools: allowed, or approval required. */
export const approvalRules = pgTable(
  'approval_rules',
  {
    ruleId: text('rule_id').primaryKey(),
    ownerDid: text('owner_did').notNull(),
    plugin: text('plugin').notNull(),
    tool: text('tool').notNull(),
    says: text('says').$type<'allow' | 'ask'>().notNull().default('allow'),
    /** Fingerprint of the tool when the rule was made: the rule allows no other one. */
    fingerprint: text('fingerprint').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [unique('approval_rules_tool_key').on(table.ownerDid, table.plugin, table.tool)],
);
