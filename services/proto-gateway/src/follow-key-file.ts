import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { systemCode, systemReason } from '@mlango/service-kit/errors';
import type { Logger } from '@mlango/service-kit/logging';
import type { ApiKey } from './access/api-keys.js';
import { type ReadKeys, readKeyFile, type StartChecks } from './access/read-key-file.js';

export interface KeyFile {
  readonly current: () => readonly ApiKey[];
  readonly close: () => void;
}

/** How often the file is read, in ms: links and mounted secrets tell of no change themselves. */
const LOOK_MS = 1000;

/**
 * The keys of a file, read again when it changes. What cannot be used is logged, and the last good keys stay: none, unless it
 * was looked at before, as the configuration does.
 */
export function followKeyFile(path: string, logger: Logger, lookMs = LOOK_MS): KeyFile {
  let seen = readText(path);
  const first = keysIn(seen);
  let keys = 'keys' in first ? first.keys : [];
  const look = (): void => {
    const text = readText(path);
    if (isDeepStrictEqual(text, seen)) return;
    seen = text;
    const found = keysIn(text);
    if ('problem' in found)
      logger.error({ problem: found.problem }, 'the file of keys cannot be used; the last good one stays');
    else {
      keys = found.keys;
      logger.info({ keys: keys.length }, 'the file of keys was read again');
    }
  };
  watchFile(path, { interval: lookMs, persistent: false }, look);
  // What changed before it was watched is no change to who watches.
  const again = setTimeout(look, lookMs).unref();
  return {
    current: () => keys,
    close: () => {
      clearTimeout(again);
      unwatchFile(path, look);
    },
  };
}

/** The keys of a file, or why there are none, as a start checks them. */
export function readKeys(path: string, checks: StartChecks): ReadKeys {
  return keysIn(readText(path), checks);
}

type FileText = { readonly text: string } | { readonly problem: string };

function keysIn(file: FileText, checks?: StartChecks): ReadKeys {
  return 'problem' in file ? file : readKeyFile(file.text, checks);
}

function readText(path: string): FileText {
  try {
    return { text: readFileSync(path, 'utf8') };
  } catch (error) {
    return { problem: `cannot be read: ${systemReason(systemCode(error) ?? 'unknown error')}` };
  }
}
