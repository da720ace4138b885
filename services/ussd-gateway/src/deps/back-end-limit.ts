import type { Config } from '../config.js';

/**
 * The time limit of queries of a hop and of the database: half of the hop deadline, so that a hanging back end is distinguished from a slow
 * hop. A hop waits longer for an effect (`sessions/run-hop.ts`), and `sessions/next-position.ts` decides the screen after that.
 */
export function backEndLimitMs(config: Config): number {
  return Math.ceil(config.sessions.HOP_DEADLINE_MS / 2);
}
