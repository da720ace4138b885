import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, eq, sql } from 'drizzle-orm';
import type * as schema from './schema.js';
import { conversationSummaries, sessions } from './schema.js';
import { storableJson, storableText } from './storable.js';
import type { ConversationSummary, SummaryStore } from './summary-store.js';

/** Summaries in Postgres or PGlite. */
export class SqlSummaryStore implements SummaryStore {
  readonly #db: SqlDatabase<typeof schema>;
  readonly #find: ReturnType<typeof findStatement>;

  constructor(db: SqlDatabase<typeof schema>) {
    this.#db = db;
    this.#find = findStatement(db);
  }

  async find(ownerDid: string, sessionId: string): Promise<ConversationSummary | undefined> {
    const [row] = await this.#find.execute({ ownerDid, sessionId });
    return row === undefined ? undefined : { ...row, sources: row.sources ?? unknownSources };
  }

  async advance(ownerDid: string, sessionId: string, summary: ConversationSummary, at: Date): Promise<void> {
    const { text, upTo, sources } = summary;
    // The lock keeps the session until its summary is there: it is deleted with it or not written at all.
    await this.#db.execute(sql`
      insert into ${conversationSummaries} (session_id, owner_did, up_to, text, sources, updated_at)
      select session_id, owner_did, ${upTo}::bigint, ${storableText(text)}::text,
        ${JSON.stringify(storableJson(sources))}::jsonb, ${at.toISOString()}::timestamptz
      from ${sessions} where ${sessions.ownerDid} = ${ownerDid} and ${sessions.sessionId} = ${sessionId} for key share
      on conflict (session_id) do update
        set up_to = excluded.up_to, text = excluded.text, sources = excluded.sources, updated_at = excluded.updated_at
        where ${conversationSummaries.upTo} < excluded.up_to`);
  }
}

/** Of one that was written before sources were. */
const unknownSources = ['sources that are not known'];

/** Every turn asks this, so it is put together once. */
function findStatement(db: SqlDatabase<typeof schema>) {
  const { text, sources, upTo, ownerDid, sessionId } = conversationSummaries;
  const isFound = and(eq(ownerDid, sql.placeholder('ownerDid')), eq(sessionId, sql.placeholder('sessionId')));
  return db.select({ text, sources, upTo }).from(conversationSummaries).where(isFound).prepare('find_summary');
}
