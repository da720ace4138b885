import type { Sending, SendOptions } from '../chat-options.js';
import { isPaymentRequired, isUnreached, OracleRequestError } from '../requests/request-error.js';
import { errorOf, newId } from '../requests/values.js';
import type { RunSource } from '../streams/follow-run.js';
import type { AnswerReading } from './answer-reading.js';
import type { ChatParts } from './chat-snapshot.js';
import { type Branching, branching, type LiveTurn, sentTurn } from './live-turn.js';
import type { RunRequests, SendBody } from './run-requests.js';

export interface SendingParts extends ChatParts {
  readonly reading: Pick<AnswerReading, 'read' | 'abortOnceRead'>;
  /** Connects the socket; fulfilled once it is connected or cannot connect for now. */
  readonly socketReady: () => Promise<void> | undefined;
}

/** Sends the messages of one chat. The state of each is in its turn, and the last failure in the errors of the chat. */
export class MessageSending {
  readonly #parts: SendingParts;

  constructor(parts: SendingParts) {
    this.#parts = parts;
  }

  send(message: string, sending: Sending, branch?: Branching): Promise<void> {
    const { turns, history } = this.#parts;
    const requestId = newId();
    turns.begin(sentTurn(requestId, message, sending.options, history.records.at(-1)?.id, branch?.instead));
    return this.#deliver(requestId, message, sending, branch, false);
  }

  /** Edits a message, or without a text regenerates its answer. Throws for an unknown message. */
  branch(messageId: string, text: string | undefined, sending: Sending): Promise<void> {
    const { turns, messages } = this.#parts;
    const unsent = turns.findUnsent(messageId);
    if (unsent !== undefined && text === undefined) return this.resend(messageId, sending.onPaymentRequired);
    if (unsent !== undefined) {
      turns.forget(unsent.requestId);
      const options = { ...unsent.options, ...sending.options };
      return this.send(text ?? '', { ...sending, options }, this.#branchOf(unsent, text));
    }
    const branch = branching(messages(), messageId, text);
    return this.send(branch.text, { ...sending, options: { ...sending.options, ...branch.along } }, branch);
  }

  /** Sends an unsent message again, unchanged. Throws if there is no such message. */
  resend(messageId: string, onPaymentRequired: Sending['onPaymentRequired'], options?: SendOptions): Promise<void> {
    const { turns, history } = this.#parts;
    const unsent = turns.findUnsent(messageId);
    if (unsent?.sent === undefined) throw new Error('There is no such message that was not sent');
    const { requestId, sent } = unsent;
    const sending = { options: { ...unsent.options, ...options }, onPaymentRequired };
    turns.sendAgain(requestId, history.records.at(-1)?.id);
    return this.#deliver(requestId, sent.text, sending, this.#branchOf(unsent, sent.text), true);
  }

  async abort(): Promise<void> {
    const { turns, runs, reading } = this.#parts;
    for (const { requestId, phase } of turns.list) if (phase === 'sending') reading.abortOnceRead(requestId);
    await runs.abort();
  }

  /** The message that it should replace, unless that is no longer shown. */
  #branchOf({ instead }: LiveTurn, text: string | undefined): Branching | undefined {
    if (instead === undefined || !('edits' in instead)) return undefined;
    const isShown = this.#parts.messages().some(({ id }) => id === instead.edits);
    return isShown ? branching(this.#parts.messages(), instead.edits, text) : undefined;
  }

  async #deliver(
    requestId: string,
    message: string,
    { options, onPaymentRequired }: Sending,
    branch: Branching | undefined,
    isRetry: boolean,
  ): Promise<void> {
    const { branch: shown, errors, turns, runs, users, reading, changed, signal, socketReady } = this.#parts;
    if (branch !== undefined) shown.leave(branch.hidden);
    errors.sending = undefined;
    errors.reading = undefined;
    changed();
    const connecting = socketReady();
    try {
      const [declared] = await Promise.all([users.declared(), users.needSocket ? connecting : undefined]);
      const body = { ...options, ...branch?.instead, message, requestId, ...declared };
      const source = await deliverMessage(runs, body, signal(), isRetry);
      if (source.requestId !== requestId) turns.rename(requestId, source.requestId);
      await reading.read(source.requestId, source);
      if (branch !== undefined) shown.arrived();
    } catch (error) {
      if (branch !== undefined) shown.comeBack(branch.hidden);
      await this.#notTaken(requestId, branch, error);
      if (isPaymentRequired(error)) onPaymentRequired([...error.claims]);
    }
  }

  async #notTaken(requestId: string, branch: Branching | undefined, error: unknown): Promise<void> {
    const { errors, turns, history, changed, signal } = this.#parts;
    // The message that was to be answered again is still there, to have that done again.
    if (branch !== undefined && 'regenerates' in branch.instead) turns.forget(requestId);
    else turns.update(requestId, { phase: 'unsent' });
    if (!isPaymentRequired(error)) errors.sending = errorOf(error);
    changed();
    // The message may have arrived although the connection failed.
    if (isUnreached(error)) void history.refresh(signal());
  }
}

export type Delivered = RunSource & {
  /** Id of the request that the answer belongs to. */
  readonly requestId: string;
  /** Status of the run when the message was accepted. */
  readonly status?: string;
};

const attemptLimit = 3;

/**
 * Sends a message to the oracle, and returns the place of its answer. After a broken connection a request checks whether it
 * has the message; it is sent again only if it surely has not. Rejects when the oracle refuses or is unreachable.
 *
 * @param isRetry it was sent before, without an acknowledgement.
 */
async function deliverMessage(
  runs: RunRequests,
  body: SendBody,
  signal: AbortSignal,
  isRetry = false,
): Promise<Delivered> {
  const { requestId } = body;
  for (let attempt = 1; ; attempt++) {
    try {
      const first = await runs.send(body);
      const runId = first.headers.get('x-run-id');
      const assignedId = first.headers.get('x-request-id') ?? requestId;
      const status = first.headers.get('x-run-status') ?? 'running';
      return { first, requestId: assignedId, status, ...(runId === null ? {} : { runId }) };
    } catch (error) {
      // The earlier request may have arrived in the meantime: its id is in use then.
      const isTaken = (isRetry || attempt > 1) && error instanceof OracleRequestError && error.statusCode === 409;
      if (!isTaken && !isUnreached(error)) throw error;
      const run = await runs.latest(signal).catch(() => undefined);
      if (run?.requestId === requestId) return { runId: run.runId, requestId, status: run.status };
      if (run === undefined || isTaken || attempt === attemptLimit) throw error;
    }
  }
}
