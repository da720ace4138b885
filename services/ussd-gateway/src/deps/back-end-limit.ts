import type { Config } from '../config.js';

/** Half of the hop deadline, so that a hanging back end is distinguished from a slow hop. */
export function backEndLimitMs(config: Config): number {
  return Math.ceil(config.sessions.HOP_DEADLINE_MS / 2);
}
