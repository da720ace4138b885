import { setTimeout as sleep } from 'node:timers/promises';
import type { RunStart } from './log/store.js';
import type { RunRepository, StopRequest } from './run-repository.js';
import type { RunSignals } from './signals.js';

/**
 * Why a run was stopped: the user aborted it, a newer message superseded it, the process shut down, it timed out, or another
 * process took it over.
 */
export type StopReason = StopRequest | 'shutdown' | 'timeout' | 'taken_over';

/** A run that this process executes. */
export interface ActiveRun {
  readonly run: RunStart;
  /** The answer so far. */
  readonly draft: { readonly content: string };
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal;
  /** Resolves when the run has ended and everything is stored. */
  readonly released: Promise<void>;
  /** The first reason applies. */
  stop(reason: StopReason): void;
}

interface StopParts {
  readonly runRepository: Pick<RunRepository, 'requestStop' | 'findLive'>;
  readonly signals: Pick<RunSignals, 'send'>;
  readonly limits: { readonly leaseMs: number; readonly waitMs: number };
}

/**
 * Stops the runs of a session of this owner on all replicas and waits for them for a while: local runs directly, others through the
 * repository, which their lease renewers read on a signal. False when there are none.
 * @param active the runs of this process, by run id
 * @param recover recovers orphaned runs, which have no process to stop them
 */
export async function stopRuns(
  { runRepository, signals, limits }: StopParts,
  active: ReadonlyMap<string, ActiveRun>,
  { ownerDid, sessionId }: { readonly ownerDid: string; readonly sessionId: string },
  reason: StopRequest,
  recover: () => Promise<void>,
): Promise<boolean> {
  const runIds = await runRepository.requestStop(ownerDid, sessionId, reason);
  if (runIds.length === 0) return false;
  const local = runIds.flatMap((runId) => active.get(runId) ?? []);
  for (const run of local) run.stop(reason);
  await Promise.all(local.map(({ released }) => released));
  if (local.length === runIds.length) return true;
  await signals.send({ kind: 'stop', runIds: runIds.filter((runId) => !active.has(runId)) });
  void recover();
  for (let waitedMs = 0; waitedMs < limits.leaseMs * 2; waitedMs += limits.waitMs) {
    const live = await runRepository.findLive(ownerDid, sessionId);
    if (live === undefined || !runIds.includes(live.runId)) break;
    await sleep(limits.waitMs);
  }
  return true;
}
