import { isUnreached, OracleRequestError } from '../requests/request-error.js';
import type { RunSource } from '../streams/follow-run.js';
import type { RunRequests, SendBody } from './run-requests.js';

export type Delivered = RunSource & {
  /** Of the answer. */
  readonly requestId: string;
  /** Of the run, as the message was taken. */
  readonly status?: string;
};

const attemptLimit = 3;

/**
 * Brings a message to the oracle, and says where its answer is. Where the connection broke, the oracle is asked whether it
 * has the message; it is sent again only if it surely has not. Rejects when the oracle refuses or cannot be reached.
 *
 * @param isAgain it was sent before, and nobody said that it arrived.
 */
export async function deliverMessage(
  runs: RunRequests,
  body: SendBody,
  signal: AbortSignal,
  isAgain = false,
): Promise<Delivered> {
  const { requestId } = body;
  for (let attempt = 1; ; attempt++) {
    try {
      const first = await runs.send(body);
      const runId = first.headers.get('x-run-id');
      const given = first.headers.get('x-request-id') ?? requestId;
      const status = first.headers.get('x-run-status') ?? 'running';
      return { first, requestId: given, status, ...(runId === null ? {} : { runId }) };
    } catch (error) {
      // What was sent before may have arrived in the meantime: its id is taken then.
      const isTaken = (isAgain || attempt > 1) && error instanceof OracleRequestError && error.statusCode === 409;
      if (!isTaken && !isUnreached(error)) throw error;
      const run = await runs.latest(signal).catch(() => undefined);
      if (run?.requestId === requestId) return { runId: run.runId, requestId, status: run.status };
      if (run === undefined || isTaken || attempt === attemptLimit) throw error;
    }
  }
}
