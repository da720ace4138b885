import { and, asc, desc, eq, gt, lte, or, sql } from 'drizzle-orm';
import type { OracleDatabase } from './oracle-database.js';
import { messages } from './schema.js';
import { isTurnOn, selectedBranch } from './sql-branches.js';
import { messageColumns } from './sql-message.js';
import { turnPlaces } from './sql-turn-page.js';

const placeholder = (name: string) => sql.placeholder(name);

/**
 * What is asked for the first or the last messages of the turns after the place `after`, up to and with the turn `upTo`, or with null
 * to the end of the branch that is selected. Every turn asks for the last ones, so its statement is put together once.
 */
export function messagesUpTo(db: OracleDatabase, end: 'first' | 'last') {
  const [ownerDid, sessionId] = [placeholder('ownerDid'), placeholder('sessionId')];
  const turns = turnPlaces(db, ownerDid, sessionId);
  const last = db
    .select({ place: turns.place })
    .from(turns)
    .where(eq(turns.turnId, placeholder('upTo')));
  const ofLast = db
    .select({ branch: turns.branch })
    .from(turns)
    .where(eq(turns.turnId, placeholder('upTo')));
  const branch = sql`(case when ${placeholder('upTo')}::text is null then ${selectedBranch(ownerDid, sessionId)} else (${ofLast}) end)`;
  // Wrapped where it is asked for: by its parts the planner expects next to no turns, and goes through all messages for each that there is.
  const isWithin = and(
    gt(turns.place, placeholder('after')),
    isTurnOn(turns, branch),
    or(sql`${placeholder('upTo')}::text is null`, lte(turns.place, last)),
  );
  const order = end === 'first' ? asc : desc;
  return {
    turns,
    columns: { ...messageColumns, place: sql<number>`${turns.place}`.mapWith(messages.position) },
    isOfTurn: eq(turns.turnId, messages.turnId),
    isRead: and(eq(messages.sessionId, sessionId), eq(messages.ownerDid, ownerDid), sql`coalesce(${isWithin}, false)`),
    order: [order(turns.place), order(messages.position)],
  };
}

export function upToStatement(db: OracleDatabase, end: 'first' | 'last') {
  const { turns, columns, isOfTurn, isRead, order } = messagesUpTo(db, end);
  return db
    .with(turns)
    .select(columns)
    .from(messages)
    .innerJoin(turns, isOfTurn)
    .where(isRead)
    .orderBy(...order)
    .limit(placeholder('limit'))
    .prepare(`${end}_messages_up_to`);
}
