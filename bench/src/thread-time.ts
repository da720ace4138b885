import { readFileSync } from 'node:fs';

/** What a process's main thread did so far, in milliseconds (Linux, from its schedstat file). */
export interface ThreadTime {
  /** Time it worked. */
  readonly workedMs: number;
  /** Time it could have worked, and waited for a processor that others had. */
  readonly waitedMs: number;
}

export function threadTime(pid: number): ThreadTime {
  const [worked = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { workedMs: worked / 1e6, waitedMs: waited / 1e6 };
}
