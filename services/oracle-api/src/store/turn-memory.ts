import { type SQL, sql } from 'drizzle-orm';
import type { Branch } from './branches.js';
import type { OracleDatabase } from './database.js';
import { messagesUpTo } from './messages.js';
import { recordOf, type StoredPreferences } from './preferences.js';
import { conversationSummaries, messages, preferences, roomPreferences } from './schema.js';
import type { ConversationStore, PlacedMessage } from './sessions.js';
import { withoutNulls } from './storable.js';
import { type ConversationSummary, type SummaryRow, type SummaryStore, withSources } from './summaries.js';

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

/**
 * Reads the stored context of a turn before its first model request.
 * Failure: an unavailable store rejects.
 */
export interface TurnMemory {
  read(turn: TurnPlace, limit: number): Promise<RememberedTurn>;
}

/** Reads each store separately, without preferences. */
export function readSeparately(stores: {
  readonly conversations: Pick<ConversationStore, 'messagesUpTo'>;
  readonly summaries: Pick<SummaryStore, 'find'>;
}): TurnMemory {
  return {
    async read({ ownerDid, sessionId, runId, branch }, limit) {
      const [messages, summary] = await Promise.all([
        stores.conversations.messagesUpTo(ownerDid, sessionId, runId, { limit }),
        stores.summaries.find(ownerDid, sessionId, branch),
      ]);
      return { messages, summary };
    },
  };
}

/** In Postgres or PGlite: one statement on the trunk, where most conversations are. */
export function sqlTurnMemory(db: OracleDatabase, stores: Parameters<typeof readSeparately>[0]): TurnMemory {
  const apart = readSeparately(stores);
  // Prepared once, because every turn runs it.
  const statement = memoryStatement(db);
  return {
    async read(turn, limit) {
      if (turn.branch !== undefined) return apart.read(turn, limit);
      const { ownerDid, sessionId, runId, roomId = null } = turn;
      const rows = await statement.execute({ ownerDid, sessionId, upTo: runId, after: 0, limit, roomId });
      const besides = rows[0]?.besides;
      const { summary, preferences } = besides ?? {};
      return {
        messages: rows.map(({ besides: _besides, ...row }) => withoutNulls(row)).reverse(),
        summary: summary ? withSources(summary) : undefined,
        ...(preferences && { preferences: { found: recordOf(preferences.map(dated)) } }),
      };
    },
  };
}

interface Besides {
  readonly summary: SummaryRow | null;
  readonly preferences: readonly KeptRecord[];
}

interface KeptRecord {
  readonly record: Parameters<typeof recordOf>[0][number]['record'];
  readonly atMs: number;
}

function dated({ record, atMs }: KeptRecord) {
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
      besides: sql<Besides | null>`case when ${isFirst} then ${besides()} end`,
    })
    .from(chosen)
    .innerJoin(messages, isChosen)
    .orderBy(...order)
    .prepare('turn_memory');
}

function besides(): SQL {
  const ownerDid = sql`${sql.placeholder('ownerDid')}::text`;
  const { text, sources, upTo } = conversationSummaries;
  const summary = sql`(select json_build_object('text', ${text}, 'sources', ${sources}, 'upTo', ${upTo}) from ${conversationSummaries}
    where ${conversationSummaries.ownerDid} = ${ownerDid} and ${conversationSummaries.sessionId} = ${sql.placeholder('sessionId')}::text)`;
  const kept = (of: typeof preferences | typeof roomPreferences, place: number) =>
    sql`select ${sql.raw(String(place))} as place, ${of.record} as record, extract(epoch from ${of.updatedAt})::float8 * 1000 as at_ms from ${of} where ${of.ownerDid} = ${ownerDid}`;
  const records = sql`(select coalesce(json_agg(json_build_object('record', record, 'atMs', at_ms) order by place), '[]')
    from (${kept(preferences, 1)} union all ${kept(roomPreferences, 2)} and ${roomPreferences.roomId} = ${sql.placeholder('roomId')}::text) as kept)`;
  return sql`json_build_object('summary', ${summary}, 'preferences', ${records})`;
}
