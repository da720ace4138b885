import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names the place in which process numbers mean the same process: a machine's boot, and a container on it. */
export function processSpace(): string {
  return [hostname(), readText('/proc/sys/kernel/random/boot_id'), readLink('/proc/self/ns/pid')].join('|');
}

/**
 * Tells a process from a later one with the same number: when it started, in the system's own words. Undefined when no
 * such process lives; empty when it lives but the system does not say.
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
      // The same words whatever the holder's own settings are.
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
