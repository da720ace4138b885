import type { RunStatus } from '@mlango/schemas/oracle-events';
import { isUniqueViolation } from '@mlango/service-kit/database';
import { and, asc, count, eq, inArray, isNull, lt, ne, not, or, sql } from 'drizzle-orm';
import { fromNow, isStorable, type OracleDatabase, storableJson, withoutNulls } from '../store/database.js';
import { addedMessage, insertedMessage, lockedSession, messageValues, resultOf } from '../store/messages.js';
import { runs } from '../store/schema.js';
import type { StoredMessage } from '../store/sessions.js';
import type { RunStart } from './log/store.js';
import { sourcesOf, takenOver, targetOf } from './run.js';
import type { ClaimedSession, HeldRun, Lease, RunRepository } from './run-repository.js';
import { idColumn, liveIn, startColumns } from './schema.js';
import { storeUnreported } from './usage-outbox.js';

/** Statements that end runs, with or without an answer. */
export function sqlEndTransitions(db: OracleDatabase): Pick<RunRepository, 'end' | 'endAnswered'> {
  const endStarted = endStatement(db);
  const endAnswered = endAnsweredStatement(db);
  return {
    async end(runId, writerId, status, { textMarks, unreported } = {}) {
      const values = { runId, writerId, status, textMarks: textMarks ?? null };
      const end = async (statement = endStarted) => (await statement.execute(values)).length > 0;
      if (unreported === undefined) return end();
      return db.transaction(async (tx) => {
        await storeUnreported(tx, unreported);
        return end(endStatement(tx));
      });
    },

    async endAnswered({ runId, ownerDid, sessionId }, writerId, status, answer, textMarks) {
      const values = { runId, writerId, status, textMarks: textMarks ?? null };
      const [row] = await endAnswered.execute({ ...values, ownerDid, sessionId, ...messageValues(answer) });
      return resultOf(row);
    },
  };
}

/** Prepared once, because every turn ends with one of these. */
function endStatement(db: OracleDatabase) {
  return db
    .update(runs)
    .set({
      status: sql`${sql.placeholder('status')}`,
      endedAt: sql`now()`,
      partialText: '',
      textMarks: sql`${sql.placeholder('textMarks')}`,
    })
    .where(
      and(
        eq(runs.runId, sql.placeholder('runId')),
        eq(runs.writerId, sql.placeholder('writerId')),
        inArray(runs.status, sourcesOf('end')),
        isNull(runs.endedAt),
      ),
    )
    .returning(idColumn)
    .prepare('end_run');
}

/** Locks the session first, in the same order as its deletion: the run waits for the message. */
function endAnsweredStatement(db: OracleDatabase) {
  const { steps, columns } = addedMessage(db);
  const placeholder = (name: string) => sql.placeholder(name);
  const ended = db.$with('ended', idColumn).as(
    sql`update ${runs} set status = ${placeholder('status')}, ended_at = now(), partial_text = '', text_marks = ${placeholder('textMarks')}
      where ${runs.runId} = ${placeholder('runId')} and ${runs.writerId} = ${placeholder('writerId')} and ${inArray(runs.status, sourcesOf('end'))} and ${runs.endedAt} is null
        and (select count(*) from inserted) >= 0
      returning ${runs.runId}`,
  );
  return db
    .with(...steps, ended)
    .select(columns)
    .from(sql`(select 1) as one`)
    .prepare('end_answered_run');
}

/** Statements that claim or enqueue runs, with the messages that they answer. */
export function sqlStartTransitions(db: OracleDatabase): Pick<RunRepository, 'claim' | 'enqueue'> {
  const addStarted = addStatement(db);
  return {
    async claim(run, lease, message) {
      if (!isStorable(run.sessionId)) return 'no_session';
      return addWithStatus(addStarted, targetOf('claim'), run, lease, message).catch(refusalFor);
    },

    async enqueue(run, lease, message, most) {
      const { ownerDid, sessionId } = run;
      if (!isStorable(sessionId)) return 'no_session';
      const result = await db
        .transaction(async (tx) => {
          // Held to the end of the transaction, so that counting and enqueueing is serial per owner.
          await tx.execute(sql`select pg_advisory_xact_lock(${enqueueLocks}, hashtext(${ownerDid}))`);
          const isOfSession = eq(runs.sessionId, sessionId);
          const [waiting] = await tx
            .select({ ofUser: count(), ofSession: sql<number>`count(*) filter (where ${isOfSession})::int` })
            .from(runs)
            .where(and(eq(runs.ownerDid, ownerDid), eq(runs.status, targetOf('enqueue')), isNull(runs.endedAt)));
          const { ofUser = 0, ofSession = 0 } = waiting ?? {};
          if (ofUser >= most.ofUser || ofSession >= most.ofSession) return 'queue_full';
          return addWithStatus(addStatement(tx), targetOf('enqueue'), run, lease, message);
        })
        .catch(refusalFor);
      if (result === 'occupied') throw new Error('a waiting run never occupies a session');
      return result;
    },
  };
}

async function addWithStatus(
  add: ReturnType<typeof addStatement>,
  status: RunStatus,
  run: RunStart,
  lease: Lease,
  message: StoredMessage,
): Promise<ClaimedSession | 'no_session'> {
  const [session] = await add.execute({ status, ...run, ...lease, ...messageValues(message) });
  return session === undefined ? 'no_session' : withoutNulls(session);
}

/** Why a run was not added; rethrows other errors. */
function refusalFor(error: unknown): 'occupied' | 'request_id_used' {
  if (isUniqueViolation(error, 'runs_one_running_idx')) return 'occupied';
  // The message outlives the run that used the id.
  const isUsed = ['runs_session_request_key', 'messages_session_id_message_id_pk'];
  if (isUsed.some((constraint) => isUniqueViolation(error, constraint))) return 'request_id_used';
  throw error;
}

/** Namespace of the advisory locks for enqueueing. */
const enqueueLocks = 20_173;

/** Prepared once, because every turn begins with it. */
function addStatement(db: OracleDatabase) {
  const placeholder = (name: string) => sql.placeholder(name);
  const leaseUntil = fromNow(placeholder('leaseMs'));
  const added = db.$with('added', idColumn).as(
    sql`insert into ${runs} (run_id, owner_did, session_id, request_id, status, writer_id, lease_until)
      select ${placeholder('runId')}, ${placeholder('ownerDid')}, session_id, ${placeholder('requestId')},
        ${placeholder('status')}, ${placeholder('writerId')}, ${leaseUntil}
      from locked returning ${runs.runId}`,
  );
  const locked = lockedSession(db);
  return db
    .with(locked, added, insertedMessage(db))
    .select({ title: locked.title, roomId: locked.roomId, branch: locked.branch })
    .from(added)
    .innerJoin(locked, sql`true`)
    .prepare('add_run');
}

type HoldRun = Pick<RunRepository, 'advance' | 'requestStop' | 'renew' | 'isHeld' | 'takeOrphans'>;

/** Statements for leases and for runs while they are held. `aside` is the connection for renewals. */
export function sqlLeaseTransitions(db: OracleDatabase, aside: OracleDatabase): HoldRun {
  return {
    async advance(writerId) {
      const isFirst = sql`not exists (
        select 1 from ${runs} earlier where earlier.session_id = ${runs.sessionId}
          and earlier.ended_at is null and earlier.position < ${runs.position})`;
      try {
        const advanced = await db
          .update(runs)
          .set({ status: targetOf('advance') })
          .where(
            and(eq(runs.writerId, writerId), inArray(runs.status, sourcesOf('advance')), isNull(runs.endedAt), isFirst),
          )
          .returning(idColumn);
        return advanced.map(({ runId }) => runId);
      } catch (error) {
        // A suspended run resumed at the same moment; the next query finds it.
        if (isUniqueViolation(error, 'runs_one_running_idx')) return [];
        throw error;
      }
    },

    async requestStop(ownerDid, sessionId, reason) {
      if (!isStorable(sessionId)) return [];
      const stopped = await db
        .update(runs)
        .set({ stop: sql`coalesce(${runs.stop}, ${reason})` })
        .where(liveIn(ownerDid, sessionId))
        .returning(idColumn);
      return stopped.map(({ runId }) => runId);
    },

    async renew({ writerId, leaseMs }, running) {
      const progress = sql`jsonb_to_recordset(${JSON.stringify(storableJson(running))}::jsonb) as progress("runId" text, "partialText" text)`;
      const held = await aside
        .update(runs)
        .set({ leaseUntil: fromNow(leaseMs), partialText: sql`coalesce(progress."partialText", ${runs.partialText})` })
        .from(progress)
        .where(and(eq(runs.runId, sql`progress."runId"`), eq(runs.writerId, writerId), isNull(runs.endedAt)))
        .returning({ runId: runs.runId, stop: runs.stop });
      return held.map(({ runId, stop }): HeldRun => (stop === null ? { runId } : { runId, stop }));
    },

    async isHeld(runId, writerId) {
      const held = await aside
        .select(idColumn)
        .from(runs)
        .where(and(eq(runs.runId, runId), eq(runs.writerId, writerId), isNull(runs.endedAt)));
      return held.length > 0;
    },

    async takeOrphans({ writerId, leaseMs }, limit, alive) {
      const isAlive = sql`${runs.runId} in (select jsonb_array_elements_text(${JSON.stringify(alive)}::jsonb))`;
      const orphans = db
        .select(idColumn)
        .from(runs)
        .where(
          and(
            inArray(runs.status, sourcesOf('takeOver')),
            isNull(runs.endedAt),
            lt(runs.leaseUntil, sql`now()`),
            or(ne(runs.writerId, writerId), not(isAlive)),
          ),
        )
        .orderBy(asc(runs.leaseUntil))
        .limit(limit)
        .for('update', { skipLocked: true });
      return db
        .update(runs)
        .set({ status: statusTakenOver, writerId, leaseUntil: fromNow(leaseMs) })
        .where(inArray(runs.runId, orphans))
        .returning({ ...startColumns, partialText: runs.partialText });
    },
  };
}

const statusTakenOver = sql`case ${runs.status} ${sql.join(
  sourcesOf('takeOver').map((status) => sql`when ${status} then ${takenOver(status)}`),
  sql` `,
)} end`;
