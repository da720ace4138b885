import type { OwnRow } from '../plugins/api/own-rows.js';
import type { TextFile } from './zip-files.js';

/** Rows of one source, which are put into one folder. */
export interface RowSource {
  /** Empty for the root. */
  readonly folder: string;
  rows(): AsyncIterable<OwnRow>;
}

const kindPattern = /^[a-z0-9-]{1,64}$/;

/**
 * A file of JSON lines for each kind of rows, and at the end `manifest.json`: what the archive is, and how many rows are in each
 * file. Reads no further than is asked for.
 */
export async function* exportFiles(
  sources: readonly RowSource[],
  about: () => Readonly<Record<string, unknown>>,
): AsyncGenerator<TextFile, void> {
  const counts: Record<string, number> = {};
  for (const source of sources) {
    const reading = source.rows()[Symbol.asyncIterator]();
    try {
      let next = await reading.next();
      while (next.done !== true) {
        const { kind } = next.value;
        const name = `${source.folder}${kind}.jsonl`;
        if (!kindPattern.test(kind) || name in counts) throw new Error(`rows of a kind that names no file: ${name}`);
        counts[name] = 0;
        const ofKind = async function* () {
          for (; next.done !== true && next.value.kind === kind; next = await reading.next()) {
            counts[name] = (counts[name] ?? 0) + 1;
            yield `${JSON.stringify(next.value.row)}\n`;
          }
        };
        yield { name, pieces: ofKind() };
      }
    } finally {
      await reading.return?.();
    }
  }
  const manifest = async function* () {
    yield `${JSON.stringify({ ...about(), files: counts }, null, 2)}\n`;
  };
  yield { name: 'manifest.json', pieces: manifest() };
}
