import { spawnSync } from 'node:child_process';

/**
 * Signals a process that was spawned with `detached: true` and everything it started. Does nothing when it has gone.
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
export function killTree(pid, signal) {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the whole group has already ended.
  }
}
