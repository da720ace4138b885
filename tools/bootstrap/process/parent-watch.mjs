import { readFileSync } from 'node:fs';

const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh'];

/**
 * Calls back once when the process that started this one has ended. `npm start` runs a script as npm → shell → node, and a shell
 * outlives a killed npm; so under npm the shell's own parent is watched too (on Linux, where it can be read).
 * @param {() => void} onGone
 * @param {{ env?: NodeJS.ProcessEnv, everyMs?: number }} [options]
 * @returns {() => void} stops watching
 */
export function watchParent(onGone, { env = process.env, everyMs = 250 } = {}) {
  const parent = process.ppid;
  const shell = env['npm_lifecycle_event'] === undefined ? undefined : readProcess(parent);
  const npm = shell !== undefined && SHELLS.includes(shell.name) ? shell.parent : undefined;
  const timer = setInterval(() => {
    if (!hasGone(parent) && (npm === undefined || readProcess(parent)?.parent === npm)) return;
    clearInterval(timer);
    onGone();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** @param {number} parent */
function hasGone(parent) {
  if (process.ppid !== parent) return true;
  if (process.platform !== 'win32') return false;
  try {
    process.kill(parent, 0);
    return false;
  } catch {
    return true;
  }
}

/**
 * @param {number} pid
 * @returns {{ name: string, parent: number } | undefined} undefined where there is no /proc
 */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const parent = Number(stat.slice(end + 2).split(' ')[1]);
    return { name: stat.slice(stat.indexOf('(') + 1, end), parent };
  } catch {
    return undefined;
  }
}
