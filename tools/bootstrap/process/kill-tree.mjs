import { spawnSync } from 'node:child_process';

/**
 * Signals a detached child process and all processes it started. Does nothing if it has ended.
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
