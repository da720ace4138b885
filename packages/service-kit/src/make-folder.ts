import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './errors/system-reason.js';

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
