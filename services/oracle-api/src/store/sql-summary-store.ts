import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, eq, sql } from 'drizzle-orm';
import type * as schema from './schema.js';
import { conversationSummaries, sessions } from './schema.js';
import { storableText } from './storable.js';
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
    return row;
  }

  async advance(ownerDid: string, sessionId: string, { text, upTo }: ConversationSummary, at: Date): Promise<void> {
    // The lock keeps the session until its summary is there: it is deleted with it or not written at all.
    await this.#db.execute(sql`
      insert into ${conversationSummaries} (session_id, owner_did, up_to, text, updated_at)
      select session_id, owner_did, ${upTo}::bigint, ${storableText(text)}::text, ${at.toISOString()}::timestamptz
      from ${sessions} where ${sessions.ownerDid} = ${ownerDid} and ${sessions.sessionId} = ${sessionId} for key share
      on conflict (session_id) do update
        set up_to = excluded.up_to, text = excluded.text, updated_at = excluded.updated_at
        where ${conversationSummaries.upTo} < excluded.up_to`);
  }
}

/** Every turn asks this, so it is put together once. */
function findStatement(db: SqlDatabase<typeof schema>) {
  const { text, upTo, ownerDid, sessionId } = conversationSummaries;
  const isFound = and(eq(ownerDid, sql.placeholder('ownerDid')), eq(sessionId, sql.placeholder('sessionId')));
  return db.select({ text, upTo }).from(conversationSummaries).where(isFound).prepare('find_summary');
}
