type Nullable<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row];

/** A row of which the fields that were null are absent. */
export type WithoutNulls<Row> = Omit<Row, Nullable<Row>> & { [Name in Nullable<Row>]?: NonNullable<Row[Name]> };

/** What a row says: columns that say nothing are left out. Pure. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<Row>;
}
