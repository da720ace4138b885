import { randomBytes } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { OwnRow } from './account-data.js';
import { exportFiles, zipFiles } from './export-archive.js';

async function* each<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  yield* items;
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

describe('an export archive', () => {
  it('contains its files in order', async () => {
    const long = randomBytes(150_000).toString('hex');
    const files = [
      { name: 'none.jsonl', pieces: each([]) },
      { name: 'a/odd.jsonl', pieces: each(['“Habari” 👋🏾', '\u0000\n', '日本']) },
      { name: 'long.jsonl', pieces: each([long, long]) },
    ];
    const opened = unzipSync(Buffer.concat(await bytesOf(zipFiles(each(files)))));
    expect(Object.entries(opened).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual([
      ['none.jsonl', ''],
      ['a/odd.jsonl', '“Habari” 👋🏾\u0000\n日本'],
      ['long.jsonl', long + long],
    ]);
  });

  it('cannot be opened if it is incomplete', async () => {
    const chunks = await bytesOf(zipFiles(each([{ name: 'a', pieces: each(['a']) }])));
    expect(() => unzipSync(Buffer.concat(chunks.slice(0, -1)))).toThrow();
  });

  it('is produced lazily, and releases its source if the reader stops', async () => {
    let given = 0;
    let isClosed = false;
    const rows = async function* (): AsyncGenerator<OwnRow, void> {
      try {
        for (;;) {
          given += 1;
          yield { kind: 'messages', row: { content: randomBytes(20_000).toString('base64') } };
        }
      } finally {
        isClosed = true;
      }
    };
    const archive = zipFiles(exportFiles([{ folder: '', rows }], () => ({})));
    for (let chunks = 0; chunks < 3; chunks++) await archive.next();
    expect(given).toBeLessThan(20);
    await archive.return();
    expect(isClosed).toBe(true);
  });

  it.each([['../up'], ['A'], [''], ['a/b']])('has no file for the kind %j', async (kind) => {
    const sources = [{ folder: '', rows: () => each([{ kind, row: {} }]) }];
    await expect(bytesOf(zipFiles(exportFiles(sources, () => ({}))))).rejects.toThrow('unknown kind of rows');
  });

  it('has each kind in one file, or fails', async () => {
    const kinds = ['a', 'b', 'a'].map((kind) => ({ kind, row: {} }));
    const sources = [{ folder: '', rows: () => each(kinds) }];
    await expect(bytesOf(zipFiles(exportFiles(sources, () => ({}))))).rejects.toThrow('a.jsonl');
  });
});
