import { Zip, ZipDeflate } from 'fflate';
import type { OwnRow } from './account-data.js';

/** Rows of one source, exported to one folder. */
export interface RowSource {
  /** Empty for the root. */
  readonly folder: string;
  rows(): AsyncIterable<OwnRow>;
}

const kindPattern = /^[a-z0-9-]{1,64}$/;

/**
 * A file of JSON lines for each kind of rows, then `manifest.json` with the number of rows per file. Reads lazily.
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
        if (!kindPattern.test(kind) || name in counts) throw new Error(`unknown kind of rows: ${name}`);
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

/** A file of an archive; its text is an iterable of pieces. */
export interface TextFile {
  readonly name: string;
  readonly pieces: AsyncIterable<string>;
}

/** Text is buffered up to this number of characters before compression: small pieces compress badly, large ones block. */
const gatheredChars = 65_536;

/** Limit of ZIP without ZIP64. */
const limitBytes = 0xffff_ffff;

/**
 * Streams a ZIP archive of files, one piece in memory at a time. An incomplete archive lacks the central directory, so it cannot pass for a
 * complete one.
 * @throws RangeError beyond 4 GiB, of the archive or of a file
 */
export async function* zipFiles(files: AsyncIterable<TextFile>): AsyncGenerator<Uint8Array, void> {
  const made: Uint8Array[] = [];
  let size = 0;
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    size += chunk.length;
    made.push(chunk);
  });
  const taken = () => {
    if (size > limitBytes) throw new RangeError('the archive exceeds 4 GiB');
    return made.splice(0);
  };
  for await (const { name, pieces } of files) {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    let length = 0;
    const write = (text: string, isLast: boolean) => {
      const bytes = Buffer.from(text, 'utf8');
      length += bytes.length;
      if (length > limitBytes) throw new RangeError('a file exceeds 4 GiB');
      file.push(bytes, isLast);
    };
    let gathered = '';
    for await (const piece of pieces) {
      gathered += piece;
      if (gathered.length < gatheredChars) continue;
      write(gathered, false);
      gathered = '';
      yield* taken();
    }
    write(gathered, true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
