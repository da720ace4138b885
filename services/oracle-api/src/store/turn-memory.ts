import { type SQL, sql } from 'drizzle-orm';
import type { Branch } from './branches.js';
import type { ConversationStore } from './conversation-store.js';
import { type OracleDatabase, withoutNulls } from './database.js';
import { messagesUpTo } from './messages.js';
import { recordOf, type StoredPreferences } from './preferences.js';
import { conversationSummaries, messages, preferences, roomPreferences } from './schema.js';
import type { PlacedMessage } from './sessions.js';
import type { SummaryStore } from './summaries.js';
import { type ConversationSummary, type SummaryRow, withSources } from './summaries.js';

/** Position of a turn. */
export interface TurnPlace {
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly roomId: string | undefined;
  readonly branch: Branch | undefined;
}

/** Fields of a message that a turn needs. */
export type RememberedMessage = Pick<
  PlacedMessage,
  'turnId' | 'type' | 'content' | 'toolCalls' | 'attachments' | 'place'
>;

export interface RememberedTurn {
  /** The last messages of the turns up to and including this one, oldest first. */
  readonly messages: readonly RememberedMessage[];
  /** As from `SummaryStore.find`. */
  readonly summary?: ConversationSummary | undefined;
  /** As from `PreferencesStore.find`; absent if not read. */
  readonly preferences?: { readonly found: StoredPreferences | undefined };
}

/** Stores that are read separately for a turn on a branch. */
export interface BranchReads {
  readonly conversations: Pick<ConversationStore, 'messagesUpTo'>;
  readonly summaries: Pick<SummaryStore, 'find'>;
}

/**
 * Reads the stored context of a turn before its first model request.
 * Failure: an unavailable store rejects.
 * In Postgres or PGlite. A turn on the trunk, as in most conversations, is read in one statement, with its preferences.
 */
export class TurnMemory {
  readonly #stores: BranchReads;
  // Prepared once, because every turn runs it.
  readonly #ofTrunk: ReturnType<typeof memoryStatement>;

  constructor(db: OracleDatabase, stores: BranchReads) {
    this.#stores = stores;
    this.#ofTrunk = memoryStatement(db);
  }

  async read({ ownerDid, sessionId, runId, branch, roomId }: TurnPlace, limit: number): Promise<RememberedTurn> {
    if (branch !== undefined) {
      const [messages, summary] = await Promise.all([
        this.#stores.conversations.messagesUpTo(ownerDid, sessionId, runId, { limit }),
        this.#stores.summaries.find(ownerDid, sessionId, branch),
      ]);
      return { messages, summary };
    }
    const rows = await this.#ofTrunk.execute({
      ownerDid,
      sessionId,
      upTo: runId,
      after: 0,
      limit,
      roomId: roomId ?? null,
    });
    const { summary, preferences } = rows[0]?.context ?? {};
    return {
      messages: rows.map(({ context: _context, ...row }) => withoutNulls(row)).reverse(),
      summary: summary ? withSources(summary) : undefined,
      ...(preferences && { preferences: { found: recordOf(preferences.map(dated)) } }),
    };
  }
}

interface TurnContext {
  readonly summary: SummaryRow | null;
  readonly preferences: readonly StoredRecord[];
}

interface StoredRecord {
  readonly record: Parameters<typeof recordOf>[0][number]['record'];
  readonly atMs: number;
}

function dated({ record, atMs }: StoredRecord) {
  return { record, updatedAt: new Date(atMs) };
}

/** The window of the turn; its last row also has the summary and the preferences. */
function memoryStatement(db: OracleDatabase) {
  const { steps, chosen, isChosen, columns, order } = messagesUpTo(db, 'last');
  const { turnId, type, content, toolCalls, attachments, place } = columns;
  const isFirst = sql`row_number() over (order by ${sql.join(order, sql`, `)}) = 1`;
  return db
    .with(...steps)
    .select({
      turnId,
      type,
      content,
      toolCalls,
      attachments,
      place,
      context: sql<TurnContext | null>`case when ${isFirst} then ${contextColumn()} end`,
    })
    .from(chosen)
    .innerJoin(messages, isChosen)
    .orderBy(...order)
    .prepare('turn_memory');
}

function contextColumn(): SQL {
  const ownerDid = sql`${sql.placeholder('ownerDid')}::text`;
  const { text, sources, upTo } = conversationSummaries;
  const summary = sql`(select json_build_object('text', ${text}, 'sources', ${sources}, 'upTo', ${upTo}) from ${conversationSummaries}
    where ${conversationSummaries.ownerDid} = ${ownerDid} and ${conversationSummaries.sessionId} = ${sql.placeholder('sessionId')}::text)`;
  const recordsOf = (of: typeof preferences | typeof roomPreferences, place: number) =>
    sql`select ${sql.raw(String(place))} as place, ${of.record} as record, extract(epoch from ${of.updatedAt})::float8 * 1000 as at_ms from ${of} where ${of.ownerDid} = ${ownerDid}`;
  const records = sql`(select coalesce(json_agg(json_build_object('record', record, 'atMs', at_ms) order by place), '[]')
    from (${recordsOf(preferences, 1)} union all ${recordsOf(roomPreferences, 2)} and ${roomPreferences.roomId} = ${sql.placeholder('roomId')}::text) as records)`;
  return sql`json_build_object('summary', ${summary}, 'preferences', ${records})`;
}
