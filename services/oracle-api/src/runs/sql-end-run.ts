import { and, eq, isNull, sql } from 'drizzle-orm';
import { keepUntold } from '../agent/after/sql-untold-usage.js';
import type { OracleDatabase } from '../store/oracle-database.js';
import { addedMessage, messageValues, resultOf } from '../store/sql-add-message.js';
import type { RunRegister } from './run-register.js';
import { runs } from './schema.js';
import { idColumn } from './sql-run-columns.js';

/** How runs end, by themselves or with the answers that they gave. */
export function sqlEndRun(db: OracleDatabase): Pick<RunRegister, 'end' | 'endAnswered'> {
  const endStarted = endStatement(db);
  const endAnswered = endAnsweredStatement(db);
  return {
    async end(runId, writerId, status, { textMarks, untold } = {}) {
      const told = { runId, writerId, status, textMarks: textMarks ?? null };
      const end = async (statement = endStarted) => (await statement.execute(told)).length > 0;
      if (untold === undefined) return end();
      return db.transaction(async (tx) => {
        await keepUntold(tx, untold);
        return end(endStatement(tx));
      });
    },

    async endAnswered({ runId, ownerDid, sessionId }, writerId, status, answer, textMarks) {
      const told = { runId, writerId, status, textMarks: textMarks ?? null };
      const [row] = await endAnswered.execute({ ...told, ownerDid, sessionId, ...messageValues(answer) });
      return resultOf(row);
    },
  };
}

/** Every turn ends with one of these, so they are put together once. */
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
        isNull(runs.endedAt),
      ),
    )
    .returning(idColumn)
    .prepare('end_run');
}

/** The session first, as whoever deletes it has it: the run waits for the message. */
function endAnsweredStatement(db: OracleDatabase) {
  const { steps, columns } = addedMessage(db);
  const placeholder = (name: string) => sql.placeholder(name);
  const ended = db.$with('ended', idColumn).as(
    sql`update ${runs} set status = ${placeholder('status')}, ended_at = now(), partial_text = '', text_marks = ${placeholder('textMarks')}
      where ${runs.runId} = ${placeholder('runId')} and ${runs.writerId} = ${placeholder('writerId')} and ${runs.endedAt} is null
        and (select count(*) from inserted) >= 0
      returning ${runs.runId}`,
  );
  return db
    .with(...steps, ended)
    .select(columns)
    .from(sql`(select 1) as one`)
    .prepare('end_answered_run');
}
