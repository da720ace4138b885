import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Branch } from './branches.js';
import { type OracleDatabase, storableJson, storableText } from './database.js';
import { branchSummaries, conversationSummaries, sessions } from './schema.js';

/** A summary of a conversation before its newest turns. */
export interface ConversationSummary {
  readonly text: string;
  /** External sources that were read for it, as text: the summary may contain their claims. */
  readonly sources: readonly string[];
  /** The place (`PlacedMessage`) of the last summarised turn. All earlier turns are included. */
  readonly upTo: number;
}

/** For records without sources. */
const unknownSources = ['unknown sources'];

/**
 * Summaries of conversations, one per branch of a session, and one for the trunk. Deleted with their sessions.
 * Ownership: every call takes the owner's DID; the session of another user is absent.
 * Order: a summary only advances: one that covers no more than the stored one is ignored, from any replica at any time.
 * Failure: an unavailable store rejects; each call is atomic.
 */
export class SummaryStore {
  readonly #db: OracleDatabase;
  // Prepared once, because every turn runs it.
  readonly #ofTrunk: ReturnType<typeof findStatement>;

  constructor(db: OracleDatabase) {
    this.#db = db;
    this.#ofTrunk = findStatement(db);
  }

  /** The longest summary that covers only turns of the branch: its own, or one of the branches it forked from. */
  async find(ownerDid: string, sessionId: string, branch?: Branch): Promise<ConversationSummary | undefined> {
    const [trunk] = await this.#ofTrunk.execute({ ownerDid, sessionId });
    if (branch === undefined) return trunk && withSources(trunk);
    const { text, sources, upTo } = branchSummaries;
    const before = new Map(branch.path.map((part) => [part.branch, part.before]));
    const ofBranches = await this.#db
      .select({ text, sources, upTo, branch: branchSummaries.branch })
      .from(branchSummaries)
      .where(
        and(
          eq(branchSummaries.ownerDid, ownerDid),
          eq(branchSummaries.sessionId, sessionId),
          inArray(branchSummaries.branch, [branch.id, ...[...before.keys()].filter((id) => id !== null)]),
        ),
      );
    const [best] = [...ofBranches, ...(trunk === undefined ? [] : [{ ...trunk, branch: null }])]
      .filter((summary) => summary.branch === branch.id || summary.upTo < (before.get(summary.branch) ?? 0))
      .sort((a, b) => b.upTo - a.upTo);
    return best && withSources(best);
  }

  /** Replaces a shorter summary. Does nothing without the session. */
  async advance(
    ownerDid: string,
    sessionId: string,
    { text, upTo, sources }: ConversationSummary,
    at: Date,
    branch?: Branch,
  ): Promise<void> {
    const values = sql`${upTo}::bigint, ${storableText(text)}::text,
        ${JSON.stringify(storableJson(sources))}::jsonb, ${at.toISOString()}::timestamptz`;
    // The lock keeps the session until its summary is stored, so the summary is deleted with it or never written.
    const ofSession = sql`from ${sessions} where ${sessions.ownerDid} = ${ownerDid}
        and ${sessions.sessionId} = ${sessionId} for key share`;
    const update = (stored: SQL) => sql`do update set up_to = excluded.up_to, text = excluded.text,
        sources = excluded.sources, updated_at = excluded.updated_at where ${stored} < excluded.up_to`;
    const names = sql`session_id, owner_did, up_to, text, sources, updated_at`;
    await this.#db.execute(
      branch === undefined
        ? sql`insert into ${conversationSummaries} (${names}) select session_id, owner_did, ${values} ${ofSession}
              on conflict (session_id) ${update(sql`${conversationSummaries.upTo}`)}`
        : sql`insert into ${branchSummaries} (${names}, branch) select session_id, owner_did, ${values}, ${branch.id} ${ofSession}
              on conflict (session_id, branch) ${update(sql`${branchSummaries.upTo}`)}`,
    );
  }
}

function findStatement(db: OracleDatabase) {
  const { text, sources, upTo, ownerDid, sessionId } = conversationSummaries;
  const isFound = and(eq(ownerDid, sql.placeholder('ownerDid')), eq(sessionId, sql.placeholder('sessionId')));
  return db.select({ text, sources, upTo }).from(conversationSummaries).where(isFound).prepare('find_summary');
}

export interface SummaryRow extends Omit<ConversationSummary, 'sources'> {
  readonly sources: readonly string[] | null;
}

export function withSources({ text, sources, upTo }: SummaryRow): ConversationSummary {
  return { text, upTo, sources: sources ?? unknownSources };
}
