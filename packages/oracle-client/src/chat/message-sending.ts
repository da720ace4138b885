import { errorOf } from '../requests/error-of.js';
import { newId } from '../requests/new-id.js';
import { isPaymentRequired, isUnreached } from '../requests/request-error.js';
import type { AnswerReading } from './answer-reading.js';
import { type Branching, branching } from './branch-point.js';
import type { Sending, SendOptions } from './chat-options.js';
import type { ChatParts } from './chat-parts.js';
import { deliverMessage } from './deliver-message.js';
import { type LiveTurn, sentTurn } from './live-turn.js';

export interface SendingParts extends ChatParts {
  readonly reading: Pick<AnswerReading, 'read' | 'abortOnceRead'>;
  /** Has the socket connect, and is fulfilled once it has or cannot for now. */
  readonly socketReady: () => Promise<void> | undefined;
}

/** Sends the messages of one chat. What becomes of each is in its turn, and what failed last in the errors of the chat. */
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

  /** Says a message in other words, or without any has it answered once more. Throws where there is no such message. */
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

  /** Sends a message that was not taken once more, as it was. Throws where there is no such message. */
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

  /** The message in the place of which it was to stand, unless that is not shown any more. */
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
    isAgain: boolean,
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
      const source = await deliverMessage(runs, body, signal(), isAgain);
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
    // It may have arrived though nobody could say so.
    if (isUnreached(error)) void history.refresh(signal());
  }
}
