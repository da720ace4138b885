import { existsSync, mkdirSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { systemCode, systemReason } from '../errors/system-reason.js';

const maxCauses = 5;
/** Of a disk without room; a failed write does not say where. What a service writes as it starts is in its folder. */
const withoutPath: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EIO']);

/**
 * Waits for a start that keeps things in the service's own folder. A failure at a path in there, or at a folder above it,
 * is thrown again naming `DATA_DIR` and the reason, with what was thrown as its cause; every other failure as it is.
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

/** The code of the first error of a chain that is about a path on the way to the folder or inside it. */
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
 * Makes a folder for its owner alone, with those above it, unless it is there. Throws what the file system does. Node's own
 * `recursive` never ends where nothing can be made and the file system says ENOENT, as /proc does.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was as quick.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
