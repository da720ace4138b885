import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoppedError } from '../process/run-command.mjs';

/** Path of the lock file of installs and builds, from the root. */
export const SET_UP_LOCK = 'node_modules/.bootstrap/lock';

const REFRESH_MS = 2_000;
// Longer than a timer's delay on a busy machine, shorter than a user's patience.
const STALE_AFTER_MS = 60_000;
const POLL_MS = 200;

/**
 * Runs work under a lock, in one process at a time. A lock left behind by a killed process is taken over: at once if it was on
 * this machine, else (another container on the same files) when it is no longer refreshed.
 * @template T
 * @param {string} file - the lock file
 * @param {{ onWait: () => void, signal?: AbortSignal | undefined, staleAfterMs?: number }} options - `onWait` once, if another
 * process holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, { onWait, signal, staleAfterMs = STALE_AFTER_MS }, work) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), nonce: Math.random() });
  for (let waited = false; !take(file, mine); waited = true) {
    if (!waited) onWait();
    removeIfStale(file, staleAfterMs);
    await sleep(POLL_MS);
    if (signal?.aborted) throw new StoppedError();
  }
  const refresh = setInterval(() => refreshOrIgnore(file), REFRESH_MS);
  refresh.unref();
  try {
    return await work();
  } finally {
    clearInterval(refresh);
    if (read(file) === mine) rmSync(file, { force: true });
  }
}

/**
 * @param {string} file
 * @param {string} mine
 */
function take(file, mine) {
  try {
    writeFileSync(file, mine, { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
function refreshOrIgnore(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Someone removed node_modules under us; the work itself will say so.
  }
}

/**
 * @param {string} file
 * @param {number} staleAfterMs
 */
function removeIfStale(file, staleAfterMs) {
  const holder = read(file);
  if (holder === undefined || !isStale(file, holder, staleAfterMs)) return;
  // Renaming first: of two waiting processes one wins, and the loser can't delete the winner's new lock unseen.
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (read(aside) === holder) rmSync(aside, { force: true });
    else renameSync(aside, file);
  } catch {
    // Somebody else was faster.
  }
}

/**
 * @param {string} file
 * @param {string} holder
 * @param {number} staleAfterMs
 */
function isStale(file, holder, staleAfterMs) {
  try {
    if (Date.now() - statSync(file).mtimeMs > staleAfterMs) return true;
    const { pid, host } = JSON.parse(holder);
    return host === hostname() && !isAlive(pid);
  } catch {
    // Half written: its owner is still active, or the age decides.
    return false;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
