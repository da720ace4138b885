import { and, asc, desc, eq, gt, lte, or, sql } from 'drizzle-orm';
import type { OracleDatabase } from './oracle-database.js';
import { messages } from './schema.js';
import { isTurnOn, selectedBranch } from './sql-branches.js';
import { messageColumns } from './sql-message.js';

const placeholder = (name: string) => sql.placeholder(name);

const [ownerDid, sessionId, upTo] = [placeholder('ownerDid'), placeholder('sessionId'), placeholder('upTo')];

/**
 * What is asked for the first or the last messages of the turns after the place `after`, up to and with the turn `upTo`, or with null
 * to the end of the branch that is selected. Every turn asks for the last ones, so its statement is put together once.
 *
 * A session is gone through once, however long it is and whatever the planner takes it for: nothing is joined but what was chosen.
 */
export function messagesUpTo(db: OracleDatabase, end: 'first' | 'last') {
  const placed = placedMessages(db);
  const ofLast = (column: typeof placed.place | typeof placed.branch) =>
    sql`(select ${column} from ${placed} where ${placed.turnId} = ${upTo} limit 1)`;
  // Here and not where they are read, or Postgres might look for the session among all that its owner has said.
  const isOwn = eq(placed.ownerDid, ownerDid);
  const isToEnd = sql`${upTo}::text is null`;
  const branch = sql`(case when ${isToEnd} then ${selectedBranch(ownerDid, sessionId)} else ${ofLast(placed.branch)} end)`;
  const isTold = or(isToEnd, lte(placed.place, ofLast(placed.place)));
  const order = end === 'first' ? asc : desc;
  const chosen = db.$with('chosen').as(
    db
      .select({ sessionId: placed.sessionId, position: placed.position, place: placed.place })
      .from(placed)
      .where(and(isOwn, gt(placed.place, placeholder('after')), isTurnOn(placed, branch), isTold))
      .orderBy(order(placed.place), order(placed.position))
      .limit(placeholder('limit')),
  );
  return {
    steps: [placed, chosen] as const,
    chosen,
    isChosen: and(eq(messages.sessionId, chosen.sessionId), eq(messages.position, chosen.position)),
    columns: { ...messageColumns, place: chosen.place },
    order: [order(chosen.place), order(messages.position)],
  };
}

/** The messages of a session with the places and the branches of their turns: the place of a turn is that of its first message. */
function placedMessages(db: OracleDatabase) {
  const { sessionId: id, turnId, ownerDid, position } = messages;
  const ofTurn = sql`over (partition by ${turnId})`;
  return db.$with('placed').as(
    db
      .select({
        sessionId: id,
        turnId,
        ownerDid,
        position,
        place: sql`min(${position}) ${ofTurn}`.mapWith(position).as('place'),
        branch: sql`(max(${messages.branch}::text) ${ofTurn})::jsonb`.as('turn_branch'),
      })
      .from(messages)
      .where(eq(messages.sessionId, sessionId)),
  );
}

export function upToStatement(db: OracleDatabase, end: 'first' | 'last') {
  const { steps, chosen, isChosen, columns, order } = messagesUpTo(db, end);
  return db
    .with(...steps)
    .select(columns)
    .from(chosen)
    .innerJoin(messages, isChosen)
    .orderBy(...order)
    .prepare(`${end}_messages_up_to`);
}
