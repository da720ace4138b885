import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { parseTar } from 'nanotar';
import { errorCodeOf } from '../../errors/sql-errors.js';
import { systemCode, systemReason } from '../../errors/system-reason.js';

/**
 * An empty cluster, as created by `initdb` of the embedded Postgres: a tar under brotli, built with this package
 * (`make-cluster-image.ts`). A first start from it takes a fourth of the CPU of `initdb`. The path is the same from `src/` and
 * `dist/`.
 */
export const CLUSTER_IMAGE = new URL('../../../dist/database/cluster.tar.br', import.meta.url);

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
 * Unpacks an empty cluster to a new path, atomically: a process that dies meanwhile leaves a temporary folder next to it, never
 * half a database. Throws errors of the file system, and then leaves no files.
 */
export function unpackCluster(image: Uint8Array, place: string): void {
  const aside = `${place}.new-${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  try {
    unpack(image, aside);
    renameSync(aside, place);
  } catch (error) {
    // Frees the space on a full disk.
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

/** The directory of the embedded database in a service's data folder. */
export const embeddedPlace = (dataDir: string): string => resolve(dataDir, 'postgres');

/** SQLSTATE of a statement for which the disk had no room. */
const DISK_FULL = '53100';

/**
 * Wraps an error of the embedded database's start with its path. PGlite throws its own objects for failures of the file system, or a
 * generic text; errors of this package, of Node or of a migration pass unchanged.
 */
export function embeddedFailure(place: string, thrown: unknown): unknown {
  const isFull = errorCodeOf(thrown) === DISK_FULL;
  const isGeneric = thrown instanceof Error && /failed to initialize/.test(thrown.message);
  if (thrown instanceof Error && !isFull && !isGeneric) return thrown;
  const code = isFull ? 'ENOSPC' : systemCode(thrown);
  const reason = code === undefined ? '' : `: ${systemReason(code)}`;
  const failure = new Error(`the embedded database in ${place} cannot be opened${reason}`, { cause: thrown });
  return Object.assign(failure, { path: place }, code === undefined ? {} : { code });
}
