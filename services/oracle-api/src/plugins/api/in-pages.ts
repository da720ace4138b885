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
