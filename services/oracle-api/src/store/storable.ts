import { type Placeholder, type SQL, sql } from 'drizzle-orm';
/** Text as Postgres can keep it: without NUL, and with a replacement character where half of a surrogate pair stands alone. */
export function storableText(text: string): string {
  return Buffer.from(text.replaceAll('\u0000', ''), 'utf8').toString('utf8');
}

/** The same for every text in a JSON value, names of fields too. */
export function storableJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) => {
    if (typeof part === 'string') return storableText(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [storableText(name), field]));
  }) as T;
}

/** Postgres text has no NUL: an id with one cannot be there, and asking for it would be an error. */
export function isStorable(id: string): boolean {
  return !id.includes('\u0000');
}

type Nullable<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row];

/** A row of which the fields that were null are absent. */
export type WithoutNulls<Row> = Omit<Row, Nullable<Row>> & { [Name in Nullable<Row>]?: NonNullable<Row[Name]> };

/** What a row says: columns that say nothing are left out. Pure. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  // A loop: a turn reads each message of its window so, and lists of entries cost several times as much.
  const said: Partial<Row> = {};
  for (const name of Object.keys(row) as (keyof Row)[]) if (row[name] !== null) said[name] = row[name];
  return said as WithoutNulls<Row>;
}

/** So many ms from now, by the clock of the database, which all processes share. */
export function fromNow(ms: number | Placeholder): SQL {
  return sql`now() + ${ms}::double precision * interval '1 millisecond'`;
}
