import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly start: string;
  readonly space: string;
}

export interface DirectoryLock {
  readonly release: () => void;
}

const HEARTBEAT_MS = 1_000;
const DEFAULT_WATCH_MS = 4_000;
const ABANDONED_TAKEOVER_MS = 10_000;

/**
 * Locks a directory for this process with a lock file next to it. The file of a dead process is taken over at once, so SIGKILL
 * does not block the next start. A holder in another container or on another machine cannot be checked; its heartbeat on the
 * file, one a second, is watched for `watchMs` (4 s) instead.
 *
 * Throws an error that names the directory if another process holds it.
 */
export async function lockDirectory(directory: string, watchMs = DEFAULT_WATCH_MS): Promise<DirectoryLock> {
  const file = `${directory}.lock`;
  const mine: Holder = {
    token: randomUUID(),
    pid: process.pid,
    start: processStart(process.pid) ?? '',
    space: processSpace(),
  };
  const draft = `${file}.${mine.token}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    if (!createFrom(draft, file)) {
      const holder = readHolder(file);
      if (await isAlive(holder, mine, file, watchMs)) throw heldError(directory, holder, mine);
      if (!takeOver(draft, file, holder?.token)) throw heldError(directory, readHolder(file), mine);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    release: () => {
      clearInterval(heartbeat);
      if (readHolder(file)?.token === mine.token) rmSync(file, { force: true });
    },
  };
}

/** A link appears with its content, whole, or not at all. */
function createFrom(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isAlive(holder: Holder | undefined, mine: Holder, file: string, watchMs: number): Promise<boolean> {
  if (holder === undefined) return false;
  if (holder.space === mine.space) {
    const start = processStart(holder.pid);
    return start !== undefined && (start === holder.start || start === '' || holder.start === '');
  }
  const before = modifiedAt(file);
  const deadline = Date.now() + watchMs;
  while (Date.now() < deadline) {
    await sleep(HEARTBEAT_MS / 4);
    if (modifiedAt(file) !== before) return true;
  }
  return false;
}

/** Replaces the file of a dead holder. Of several processes one wins: the others find another token. */
function takeOver(draft: string, file: string, deadToken: string | undefined): boolean {
  const gate = `${file}.takeover`;
  const age = Date.now() - (modifiedAt(gate) ?? Number.POSITIVE_INFINITY);
  if (age > ABANDONED_TAKEOVER_MS) removeFolder(gate);
  try {
    mkdirSync(gate);
  } catch {
    return false;
  }
  try {
    if (readHolder(file)?.token !== deadToken) return false;
    renameSync(draft, file);
    return true;
  } finally {
    removeFolder(gate);
  }
}

/** Undefined if the file is missing or malformed, which that of a living holder never is. */
function readHolder(file: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { token, pid, start, space } = value as Record<string, unknown>;
    if (typeof token !== 'string' || typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined;
    if (typeof start !== 'string' || typeof space !== 'string') return undefined;
    return { token, pid, start, space };
  } catch {
    return undefined;
  }
}

function heldError(directory: string, holder: Holder | undefined, mine: Holder): Error {
  const owner =
    holder === undefined
      ? 'another process'
      : holder.space === mine.space
        ? `process ${holder.pid}${holder.pid === mine.pid ? ' (this one)' : ''}`
        : `process ${holder.pid} on ${holder.space.split('|')[0]}`;
  return new Error(
    `the database directory ${directory} is in use by ${owner}: the embedded database serves one process at a time; ` +
      'stop that process, set another DATA_DIR for this one, or use a Postgres server (DATABASE_URL)',
  );
}

function modifiedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function touch(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // The directory was deleted.
  }
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not there.
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Names the place in which process numbers mean the same process: a machine's boot, and a container on it. */
export function processSpace(): string {
  return [hostname(), readText('/proc/sys/kernel/random/boot_id'), readLink('/proc/self/ns/pid')].join('|');
}

/**
 * The start time of a process as printed by the system, which distinguishes it from a later process with the same number.
 * Undefined if no such process lives; empty if the system does not report a start time.
 */
export function processStart(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return undefined;
  }
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === '') return startByPs(pid);
  // The name in field 2 may hold spaces and brackets; fields count from its last bracket on. 3 is the state, 22 the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isDead = fields[0] === 'Z' || fields[0] === 'X';
  return isDead ? undefined : (fields[19] ?? '');
}

function startByPs(pid: number): string {
  try {
    return execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
      stdio: ['ignore', 'pipe', 'ignore'],
      // The output must not depend on the holder's locale and time zone.
      env: { LC_ALL: 'C', TZ: 'UTC' },
    })
      .toString()
      .trim();
  } catch {
    return '';
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

function readLink(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
