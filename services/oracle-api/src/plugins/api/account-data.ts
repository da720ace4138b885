/** Something that is kept of a user, as they may take it along: JSON, without secrets. */
export interface OwnRow {
  /** Words of `a-z`, `0-9` and `-`. Rows of a kind come one after the other. */
  readonly kind: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** What stays when a user's data are deleted, and why that has to be. */
export interface KeptRows {
  readonly kind: string;
  /** Absent where it is not known. */
  readonly count?: number;
  /** For the user. */
  readonly why: string;
}

/** What became of a user's data. */
export interface ForgottenRows {
  /** Rows that are gone, by kind. */
  readonly deleted: Readonly<Record<string, number>>;
  readonly kept?: readonly KeptRows[];
}

/** Rows that are read at once: few, since a message may have megabytes of tool calls, and several exports run at the same time. */
export const pageRows = 25;

/**
 * All rows that `read` gives, a page at a time, each page when it is asked for.
 * @param read gives at most `pageRows` rows that come after one, in an order of their own; the first ones without it
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

/** The same of what is listed by an offset. */
export async function* byOffset<Row>(read: (offset: number) => Promise<readonly Row[]>): AsyncGenerator<Row, void> {
  for (let offset = 0, rows = await read(0); rows.length > 0; rows = await read(offset)) {
    yield* rows;
    offset += rows.length;
  }
}
