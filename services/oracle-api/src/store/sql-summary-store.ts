import { and, eq, sql } from 'drizzle-orm';
import type { OracleDatabase } from './oracle-database.js';
import { conversationSummaries, sessions } from './schema.js';
import { storableJson, storableText } from './storable.js';
import type { SummaryStore } from './summary-store.js';

/** Of one that was written before sources were. */
const unknownSources = ['sources that are not known'];

/** Summaries in Postgres or PGlite. */
export function sqlSummaryStore(db: OracleDatabase): SummaryStore {
  const { text, sources, upTo, ownerDid, sessionId } = conversationSummaries;
  const isFound = and(eq(ownerDid, sql.placeholder('ownerDid')), eq(sessionId, sql.placeholder('sessionId')));
  // Every turn asks this, so it is put together once.
  const found = db.select({ text, sources, upTo }).from(conversationSummaries).where(isFound).prepare('find_summary');
  return {
    async find(ownerDid, sessionId) {
      const [row] = await found.execute({ ownerDid, sessionId });
      return row && { ...row, sources: row.sources ?? unknownSources };
    },

    async advance(ownerDid, sessionId, { text, upTo, sources }, at) {
      // The lock keeps the session until its summary is there: it is deleted with it or not written at all.
      await db.execute(sql`
      insert into ${conversationSummaries} (session_id, owner_did, up_to, text, sources, updated_at)
      select session_id, owner_did, ${upTo}::bigint, ${storableText(text)}::text,
        ${JSON.stringify(storableJson(sources))}::jsonb, ${at.toISOString()}::timestamptz
      from ${sessions} where ${sessions.ownerDid} = ${ownerDid} and ${sessions.sessionId} = ${sessionId} for key share
      on conflict (session_id) do update
        set up_to = excluded.up_to, text = excluded.text, sources = excluded.sources, updated_at = excluded.updated_at
        where ${conversationSummaries.upTo} < excluded.up_to`);
    },
  };
}
