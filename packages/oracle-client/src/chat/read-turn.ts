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
 * Reads the answer of a turn to its end, over as many connections as it takes, and gives its request id. Ends early, and quietly, when nobody knows
 * the run any more; what was kept of the answer is in the history then. Rejects when it is refused, or with the signal's
 * reason.
 */
export async function readTurn(
  turns: LiveTurns,
  runs: Pick<RunRequests, 'open'>,
  requestId: string,
  source: RunSource,
  signal: AbortSignal,
): Promise<string> {
  const parts = {
    open: (runId: string, after: number) => runs.open(runId, after, signal),
    isPassing,
    pause: async (attempt: number) => {
      if (attempt > attemptLimit) throw new Error('The connection to the oracle is lost');
      await pauseBefore(attempt, signal);
    },
    silenceMs,
    signal,
  };
  let id = requestId;
  // What came before a run waited comes with the rest again.
  let isAgain = turns.find(id)?.draft.isOver === true;
  try {
    for await (const events of followRun(source, parts)) {
      signal.throwIfAborted();
      if (isAgain) turns.take(id, { kind: 'restart' });
      isAgain = false;
      for (const event of events) id = takeEvent(turns, id, event);
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return id;
}

/** Gives the request id of the answer, which the run may tell first. */
function takeEvent(turns: LiveTurns, known: string, event: RunEvent): string {
  const requestId = event.kind === 'run' ? (event.requestId ?? known) : known;
  if (requestId !== known) turns.rename(known, requestId);
  const { run } = turns.find(requestId) ?? {};
  if (event.kind === 'run' && event.runId !== undefined) {
    turns.update(requestId, { run: { runId: event.runId, status: 'running' } });
  }
  if (event.kind === 'done' && run !== undefined) {
    const { status, usage } = event;
    turns.update(requestId, { run: { ...run, status, ...(usage === undefined ? {} : { usage }) } });
  }
  turns.take(requestId, event);
  return requestId;
}
