import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { parseTar } from 'nanotar';
import { systemCode, systemReason } from '../errors/system-reason.js';
import { errorCodeOf } from './sql-errors.js';

/**
 * An empty cluster, as `initdb` of the embedded Postgres leaves it: a tar under brotli, made when this package is built
 * (`make-cluster-image.ts`). A first start from it takes a fourth of the CPU of `initdb`. The same path from `src/` and `dist/`.
 */
export const CLUSTER_IMAGE = new URL('../../dist/database/cluster.tar.br', import.meta.url);

/** The tar of the empty cluster; undefined where this package has not been built, and `initdb` has to do its work. */
export function readClusterImage(): Uint8Array<ArrayBuffer> | undefined {
  let packed: Buffer;
  try {
    packed = readFileSync(CLUSTER_IMAGE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return new Uint8Array(brotliDecompressSync(packed));
}

/**
 * Puts an empty cluster at a path where nothing is yet, whole or not at all: a process that dies meanwhile leaves a
 * folder beside it, never half a database. Throws what the file system does, and then leaves nothing.
 */
export function unpackCluster(image: Uint8Array, place: string): void {
  const aside = `${place}.new-${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  try {
    unpack(image, aside);
    renameSync(aside, place);
  } catch (error) {
    // Of a full disk nothing is kept busy.
    rmSync(aside, { recursive: true, force: true });
    throw error;
  }
}

function unpack(image: Uint8Array, folder: string): void {
  for (const { name, type, data } of parseTar(image)) {
    const path = join(folder, name);
    if (type === 'directory') mkdirSync(path, { recursive: true, mode: 0o700 });
    else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, data ?? '', { mode: 0o600 });
    }
  }
}

/** Where the embedded database of a service's folder lies. */
export const embeddedPlace = (dataDir: string): string => resolve(dataDir, 'postgres');

/** SQLSTATE of a statement for which the disk had no room. */
const DISK_FULL = '53100';

/**
 * What keeps the embedded database from opening, as an error that names its place. The database throws objects of its own for
 * failures of the file system, and words that say nothing; an error of ours, of Node or of a migration passes as it is.
 */
export function embeddedFailure(place: string, thrown: unknown): unknown {
  const isFull = errorCodeOf(thrown) === DISK_FULL;
  const isWordless = thrown instanceof Error && /failed to initialize/.test(thrown.message);
  if (thrown instanceof Error && !isFull && !isWordless) return thrown;
  const code = isFull ? 'ENOSPC' : systemCode(thrown);
  const why = code === undefined ? '' : `: ${systemReason(code)}`;
  const failure = new Error(`the embedded database in ${place} cannot be opened${why}`, { cause: thrown });
  return Object.assign(failure, { path: place }, code === undefined ? {} : { code });
}
