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
