import { type Placeholder, type SQL, sql } from 'drizzle-orm';

/** So many ms from now, by the clock of the database, which all processes share. */
export function fromNow(ms: number | Placeholder): SQL {
  return sql`now() + ${ms}::double precision * interval '1 millisecond'`;
}
