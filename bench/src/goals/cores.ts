import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Keeps this process, and what it starts from now on, off the last processor, which is for what is measured alone.
 *
 * @returns that processor; undefined where there is only one, or no `taskset`
 */
export function keepOneCoreFree(): number | undefined {
  const last = availableParallelism() - 1;
  if (last < 1) return undefined;
  const others = last === 1 ? '0' : `0-${last - 1}`;
  try {
    execFileSync('taskset', ['-a', '-p', '-c', others, String(process.pid)], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return last;
}
