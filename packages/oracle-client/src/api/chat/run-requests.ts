import type { OracleConnection } from '../requests/oracle-connection.js';
import { isNotFound } from '../requests/request-error.js';
import { isPassing, withRetries } from '../requests/retry.js';

export interface KnownRun {
  readonly runId: string;
  readonly requestId: string;
  readonly status: string;
}

const liveStatuses = new Set(['queued', 'running', 'recovering']);
const attempts = 4;
const eventStream = { accept: 'text/event-stream' };

export interface SendBody {
  readonly message: string;
  /** The message to regenerate an answer for, instead of `message`. */
  readonly regenerates?: string;
  readonly requestId: string;
  readonly [field: string]: unknown;
}

/** Requests on the runs of a session. An oracle without run routes reports none. */
export class RunRequests {
  readonly #connection: OracleConnection;
  readonly #sessionId: string;
  #hasRuns = true;

  constructor(connection: OracleConnection, sessionId: string) {
    this.#connection = connection;
    this.#sessionId = sessionId;
  }

  /** Sends a message. The reply streams its answer. */
  send({ regenerates, message, attachments, ...body }: SendBody): Promise<Response> {
    const isRegeneration = regenerates !== undefined;
    const regeneratePath = `/sessions/${this.#sessionId}/messages/${encodeURIComponent(regenerates ?? '')}/regenerate`;
    // Without a signal: navigation does not cancel a sent message.
    return this.#connection.open(isRegeneration ? regeneratePath : `/messages/${this.#sessionId}`, {
      method: 'POST',
      body: { ...body, ...(isRegeneration ? {} : { message, attachments }), stream: true },
      headers: { ...eventStream, 'x-request-id': body.requestId },
    });
  }

  /** The stream of a run after one of its frames. */
  open(runId: string, after: number, signal: AbortSignal): Promise<Response> {
    return this.#connection.open(`/runs/${encodeURIComponent(runId)}?after=${after}`, { signal, headers: eventStream });
  }

  /** The current or last run of the session; `null` for none, undefined if unknown. */
  async latest(signal: AbortSignal): Promise<KnownRun | null | undefined> {
    if (!this.#hasRuns) return undefined;
    try {
      const request = () => this.#connection.json(`/sessions/${this.#sessionId}/run`, { signal });
      return runIn(await withRetries(request, { attempts, signal }));
    } catch (error) {
      if (isNotFound(error)) this.#hasRuns = false;
      else if (!isPassing(error)) throw error;
      return undefined;
    }
  }

  async selectBranch(messageId: string): Promise<void> {
    await this.#connection.json(`/sessions/${this.#sessionId}/branch`, { method: 'PUT', body: { messageId } });
  }

  async abort(): Promise<void> {
    await this.#connection.json('/messages/abort', { method: 'POST', body: { sessionId: this.#sessionId } });
  }
}

export function isLive({ status }: KnownRun): boolean {
  return liveStatuses.has(status);
}

function runIn(reply: unknown): KnownRun | null {
  const { run } = reply as { run?: Partial<KnownRun> | null };
  if (run === undefined || run === null) return null;
  const { runId, requestId, status } = run;
  const isRun = typeof runId === 'string' && typeof requestId === 'string' && typeof status === 'string';
  return isRun ? { runId, requestId, status } : null;
}
