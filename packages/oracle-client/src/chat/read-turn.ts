import { isNotFound } from '../requests/request-error.js';
import { isPassing, pauseBefore } from '../requests/retry.js';
import { followRun, type RunSource } from '../streams/follow-run.js';
import type { RunEvent } from '../streams/run-event.js';
import type { LiveTurns } from './live-turns.js';
import type { RunRequests } from './run-requests.js';

/** Attempts in a row without anything new after which a run is given up: about nine minutes. */
const attemptLimit = 60;
/** Three heartbeats of the protocol. */
const silenceMs = 45_000;

/**
 * Reads the answer of a turn to its end, over as many connections as it takes. Ends early, and quietly, when nobody knows
 * the run any more; what was kept of the answer is in the history then. Rejects when it is refused, or with the signal's
 * reason.
 */
export async function readTurn(
  turns: LiveTurns,
  runs: Pick<RunRequests, 'open'>,
  requestId: string,
  source: RunSource,
  signal: AbortSignal,
): Promise<void> {
  const parts = {
    open: (runId: string, after: number) => runs.open(runId, after, signal),
    isPassing,
    pause: async (attempt: number) => {
      if (attempt > attemptLimit) throw new Error('The connection to the oracle is lost');
      await pauseBefore(attempt, signal);
    },
    silenceMs,
  };
  try {
    for await (const events of followRun(source, parts)) {
      signal.throwIfAborted();
      for (const event of events) takeEvent(turns, requestId, event);
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function takeEvent(turns: LiveTurns, requestId: string, event: RunEvent): void {
  const { run } = turns.find(requestId) ?? {};
  if (event.kind === 'run' && event.runId !== undefined) {
    turns.update(requestId, { run: { runId: event.runId, status: run?.status ?? 'running' } });
  }
  if (event.kind === 'done' && run !== undefined) {
    turns.update(requestId, { run: { ...run, status: event.status } });
  }
  turns.take(requestId, event);
}
