import { existsSync, mkdirSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { systemCode, systemReason } from '../errors/system-reason.js';

const maxCauses = 5;
/** Codes of a full disk; these errors have no path. At its start a service writes to its data folder only. */
const withoutPath: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EIO']);

/**
 * Awaits a start that uses the data folder. A failure at a path in the folder, or in a folder above it, is rethrown with `DATA_DIR` and
 * the reason; other failures are rethrown unchanged.
 */
export async function usingDataDir<Started>(dataDir: string, start: Promise<Started>): Promise<Started> {
  try {
    return await start;
  } catch (error) {
    const folder = resolve(dataDir);
    const failure = dataDir.startsWith('memory://') ? undefined : failureAt(folder, error);
    if (failure === undefined) throw error;
    const message = `DATA_DIR (${folder}) cannot be used: ${systemReason(failure)}`;
    throw Object.assign(new Error(message, { cause: error }), { code: failure });
  }
}

/** The code of the first error in a chain that concerns a path above or inside the folder. */
function failureAt(folder: string, thrown: unknown): string | undefined {
  let current = thrown;
  for (let depth = 0; depth < maxCauses && typeof current === 'object' && current !== null; depth++) {
    const code = systemCode(current);
    const path: unknown = Reflect.get(current, 'path');
    const concernsFolder = typeof path === 'string' ? isOnTheWay(folder, resolve(path)) : withoutPath.has(code);
    if (code !== undefined && concernsFolder) return code;
    current = Reflect.get(current, 'cause');
  }
  return undefined;
}

function isOnTheWay(folder: string, path: string): boolean {
  const isIn = (inner: string, outer: string) => relative(outer, inner).split(sep)[0] !== '..';
  return isIn(path, folder) || isIn(folder, path);
}

/**
 * Creates a folder with its parents, accessible to the owner only, if missing. Throws errors of the file system. Node's `recursive`
 * loops forever in file systems that report ENOENT on creation, such as /proc.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process created it meanwhile.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
