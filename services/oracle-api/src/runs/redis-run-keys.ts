import { hash } from 'node:crypto';
import { key } from '@mlango/service-kit/redis';
import type { RunKey } from './run-store.js';

/** Where a run is kept. */
export interface RunKeys {
  readonly head: string;
  /** Word of the run goes out on a channel of this name, too. */
  readonly stream: string;
}

/** The owner is part of the name, so a run is found under its owner only. */
export function keysOf({ runId, ownerDid }: RunKey): RunKeys {
  const owner = hash('sha256', ownerDid, 'base64url').slice(0, 22);
  return { head: key('oracle-api', runId, 'run', owner), stream: key('oracle-api', runId, 'frames', owner) };
}
