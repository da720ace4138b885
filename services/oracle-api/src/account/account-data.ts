/** One row of a user's data in an export: JSON, without secrets. */
export interface OwnRow {
  /** Words of `a-z`, `0-9` and `-`. Rows of one kind are consecutive. */
  readonly kind: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Rows that a deletion of a user's data has to leave, with the reason. */
export interface RetainedRows {
  readonly kind: string;
  /** Absent if unknown. */
  readonly count?: number;
  /** Reason, shown to the user. */
  readonly why: string;
}

/** Result of deleting a user's data. */
export interface ForgottenRows {
  /** Number of deleted rows, by kind. */
  readonly deleted: Readonly<Record<string, number>>;
  readonly kept?: readonly RetainedRows[];
}

/**
 * Page size of exports. Small, because one message can have megabytes of tool calls and several exports run at once.
 */
export const pageRows = 25;

/**
 * Iterates over all rows of `read`, one page at a time, and reads each page only when it is needed.
 * @param read returns at most `pageRows` rows that follow the row `after` in a stable order; the first page without it
 */
export async function* inPages<Row>(read: (after: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row, void> {
  let last: Row | undefined;
  for (;;) {
    const rows: Row[] = await read(last);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < pageRows) return;
  }
}

/** Iterates over all rows of a source that is paged by offset. */
export async function* byOffset<Row>(read: (offset: number) => Promise<readonly Row[]>): AsyncGenerator<Row, void> {
  for (let offset = 0, rows = await read(0); rows.length > 0; rows = await read(offset)) {
    yield* rows;
    offset += rows.length;
  }
}
