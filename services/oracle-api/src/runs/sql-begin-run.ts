import type { RunStatus } from '@mlango/schemas/oracle-events';
import { isUniqueViolation } from '@mlango/service-kit/database';
import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { StoredMessage } from '../store/conversation-store.js';
import type { OracleDatabase } from '../store/oracle-database.js';
import { insertedMessage, lockedSession, messageValues } from '../store/sql-add-message.js';
import { fromNow } from '../store/sql-from-now.js';
import { isStorable } from '../store/storable.js';
import { withoutNulls } from '../store/without-nulls.js';
import type { ClaimedSession, Lease, RunRegister } from './run-register.js';
import type { RunStart } from './run-store.js';
import { runs } from './schema.js';
import { idColumn } from './sql-run-columns.js';

/** How runs get their places in their sessions, with the messages that they answer. */
export function sqlBeginRun(db: OracleDatabase): Pick<RunRegister, 'claim' | 'enqueue'> {
  const addStarted = addStatement(db);
  return {
    async claim(run, lease, message) {
      if (!isStorable(run.sessionId)) return 'no_session';
      return addAs(addStarted, 'running', run, lease, message).catch(refusedBy);
    },

    async enqueue(run, lease, message, most) {
      const { ownerDid, sessionId } = run;
      if (!isStorable(sessionId)) return 'no_session';
      const result = await db
        .transaction(async (tx) => {
          // Held to the end of the transaction: of one owner one counts and enqueues at a time.
          await tx.execute(sql`select pg_advisory_xact_lock(${enqueueLocks}, hashtext(${ownerDid}))`);
          const isOfSession = eq(runs.sessionId, sessionId);
          const [waiting] = await tx
            .select({ ofUser: count(), ofSession: sql<number>`count(*) filter (where ${isOfSession})::int` })
            .from(runs)
            .where(and(eq(runs.ownerDid, ownerDid), eq(runs.status, 'queued'), isNull(runs.endedAt)));
          const { ofUser = 0, ofSession = 0 } = waiting ?? {};
          if (ofUser >= most.ofUser || ofSession >= most.ofSession) return 'queue_full';
          return addAs(addStatement(tx), 'queued', run, lease, message);
        })
        .catch(refusedBy);
      if (result === 'occupied') throw new Error('a waiting run never occupies a session');
      return result;
    },
  };
}

async function addAs(
  add: ReturnType<typeof addStatement>,
  status: RunStatus,
  run: RunStart,
  lease: Lease,
  message: StoredMessage,
): Promise<ClaimedSession | 'no_session'> {
  const [session] = await add.execute({ status, ...run, ...lease, ...messageValues(message) });
  return session === undefined ? 'no_session' : withoutNulls(session);
}

/** Why a run was not added; throws what is no such reason. */
function refusedBy(error: unknown): 'occupied' | 'request_id_used' {
  if (isUniqueViolation(error, 'runs_one_running_idx')) return 'occupied';
  // The message outlives the run by which the id was used.
  const isUsed = ['runs_session_request_key', 'messages_session_id_message_id_pk'];
  if (isUsed.some((constraint) => isUniqueViolation(error, constraint))) return 'request_id_used';
  throw error;
}

/** Of the advisory locks of the database, those by which runs are enqueued. */
const enqueueLocks = 20_173;

/** Every turn begins with it, so it is put together once. */
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
