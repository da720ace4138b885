import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnsDeps } from '../agent/deps.js';
import type { Turn } from '../agent/turn.js';
import type { StopRequest } from './run-repository.js';

/**
 * Stops the turns of a session of this owner on all replicas and waits for them for a while: local turns directly, others through the
 * repository, which their lease keepers read on a signal. False when there are none.
 * @param active the turns of this process, by run id
 * @param look recovers orphaned runs, which have no process to stop them
 */
export async function stopTurns(
  { register, signals, limits }: Pick<TurnsDeps, 'register' | 'signals' | 'limits'>,
  active: ReadonlyMap<string, Turn>,
  { ownerDid, sessionId }: { readonly ownerDid: string; readonly sessionId: string },
  reason: StopRequest,
  look: () => Promise<void>,
): Promise<boolean> {
  const runIds = await register.requestStop(ownerDid, sessionId, reason);
  if (runIds.length === 0) return false;
  const local = runIds.flatMap((runId) => active.get(runId) ?? []);
  for (const turn of local) turn.stop(reason);
  await Promise.all(local.map(({ released }) => released));
  if (local.length === runIds.length) return true;
  await signals.send({ kind: 'stop', runIds: runIds.filter((runId) => !active.has(runId)) });
  void look();
  for (let waitedMs = 0; waitedMs < limits.leaseMs * 2; waitedMs += limits.waitMs) {
    const live = await register.findLive(ownerDid, sessionId);
    if (live === undefined || !runIds.includes(live.runId)) break;
    await sleep(limits.waitMs);
  }
  return true;
}
