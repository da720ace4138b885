import type { LanguageModel } from '../models/language-model.js';
import type { RunStore } from '../runs/run-store.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { ActiveTurn } from './active-turn.js';
import { historyMessages, toModelMessages } from './history.js';
import { runRecorder } from './run-recorder.js';
import { runTurn } from './run-turn.js';
import type { StopReason } from './stop-reason.js';
import { titleFrom } from './title.js';
import type { TurnOutcome } from './turn.js';
import { type TurnEvent, type TurnEvents, tellAll } from './turn-event.js';

export interface TurnsParts {
  readonly conversations: ConversationStore;
  readonly runs: RunStore;
  /** Who else is told what happens in a turn, beside the log of its run. */
  readonly listeners: readonly TurnEvents[];
  readonly oracleName: string;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: { error(fields: object, text: string): void };
  /** Called once for each turn, with how it ended. */
  readonly onTurnEnd: (status: TurnOutcome['status']) => void;
  readonly limits: TurnLimits;
}

export interface TurnLimits {
  /** Turns of this process at one time. */
  readonly activeTurns: number;
  /** Longest time for one turn, in ms. */
  readonly turnTimeoutMs: number;
}

export interface SendRequest {
  readonly ownerDid: string;
  readonly sessionId: string;
  /** Used once in a session: it becomes the id of the answer. */
  readonly requestId: string;
  readonly message: string;
  readonly model: LanguageModel;
  readonly timezone?: string;
}

export type SendResult =
  | { readonly kind: 'started'; readonly runId: string; readonly finished: Promise<TurnOutcome> }
  | { readonly kind: 'no_session' }
  | { readonly kind: 'request_id_used' }
  | { readonly kind: 'busy' };

/**
 * The turns that run in this process, at most one for each session. A turn belongs to nobody's connection: it runs to
 * its end whether or not somebody reads along.
 */
export class Turns {
  readonly #parts: TurnsParts;
  readonly #active = new Map<string, ActiveTurn>();
  readonly #events: TurnEvents;
  readonly #background = new Set<Promise<void>>();
  #isClosed = false;

  constructor(parts: TurnsParts) {
    this.#parts = parts;
    this.#events = tellAll([runRecorder(parts.runs), ...parts.listeners], (err, { runId }) =>
      parts.log.error({ err, runId }, 'event of a turn lost'),
    );
  }

  /**
   * Keeps the message and starts the turn that answers it. A turn that still runs in the session is interrupted first,
   * with what it has said so far kept. Rejects when the stores cannot be reached, in which case nothing was started.
   */
  async send(send: SendRequest): Promise<SendResult> {
    const { ownerDid, sessionId } = send;
    const session = await this.#parts.conversations.findSession(ownerDid, sessionId);
    if (session === undefined) return { kind: 'no_session' };
    if (this.#active.get(sessionId)?.requestId === send.requestId) return { kind: 'request_id_used' };
    for (let running = this.#active.get(sessionId); running !== undefined; running = this.#active.get(sessionId)) {
      running.stop('superseded');
      await running.released;
    }
    // Nothing is awaited between the last look and the claim, so that two sends cannot both claim the session.
    if (this.#isClosed || this.#active.size >= this.#parts.limits.activeTurns) return { kind: 'busy' };
    const active = new ActiveTurn(send, this.#parts.limits.turnTimeoutMs);
    this.#active.set(sessionId, active);
    try {
      const runId = this.#parts.newId();
      const added = await this.#keepMessage(send, runId);
      if (added !== 'added') {
        this.#release(sessionId, active);
        return { kind: added === 'absent' ? 'no_session' : 'request_id_used' };
      }
      await this.#parts.runs.begin({ runId, ownerDid, sessionId, requestId: send.requestId });
      const stored = await this.#parts.conversations.newestMessages(ownerDid, sessionId, historyMessages);
      const finished = this.#run(send, runId, toModelMessages(stored), active.signal).finally(() => {
        this.#release(sessionId, active);
      });
      if (session.title === undefined) this.#titleAfter(finished, send);
      return { kind: 'started', runId, finished };
    } catch (error) {
      this.#release(sessionId, active);
      throw error;
    }
  }

  /** Stops the turn that runs in a session of this owner. False when none does. */
  async stop(ownerDid: string, sessionId: string, reason: StopReason): Promise<boolean> {
    const active = this.#active.get(sessionId);
    if (active === undefined || active.ownerDid !== ownerDid) return false;
    active.stop(reason);
    await active.released;
    return true;
  }

  /** Lets turns finish for at most `graceMs`, then interrupts the rest. Resolves when all have ended and are kept. */
  async drain(graceMs: number): Promise<void> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), graceMs);
    const overdue = new Promise<void>((resolve) => {
      deadline.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    while (this.#active.size > 0 && !deadline.signal.aborted) await Promise.race([this.#allReleased(), overdue]);
    clearTimeout(timer);
    this.#isClosed = true;
    for (const active of this.#active.values()) active.stop('shutdown');
    await this.#allReleased();
    await Promise.all(this.#background);
  }

  #keepMessage(send: SendRequest, runId: string) {
    return this.#parts.conversations.addMessage(send.ownerDid, send.sessionId, {
      // Made from the request id, so that a send that is repeated is found out before anything runs.
      messageId: `${send.requestId}~human`,
      turnId: runId,
      type: 'human',
      content: send.message,
      createdAt: this.#parts.now(),
    });
  }

  async #run(
    send: SendRequest,
    runId: string,
    messages: ReturnType<typeof toModelMessages>,
    signal: AbortSignal,
  ): Promise<TurnOutcome> {
    const { conversations, oracleName, now, log, runs } = this.#parts;
    const { ownerDid, sessionId, requestId, model, timezone } = send;
    const turn = { runId, sessionId, requestId, messages, ...(timezone === undefined ? {} : { timezone }) };
    const attempt = async (what: string, act: () => Promise<void>) => {
      await act().catch((err: unknown) => log.error({ err, runId }, what));
    };
    const outcome = await runTurn(
      turn,
      {
        model,
        oracleName,
        now,
        emit: async (event: TurnEvent) => this.#events.emit({ runId, ownerDid, sessionId, requestId }, event),
        saveAnswer: async (content, createdAt) => {
          const message = { messageId: requestId, turnId: runId, type: 'ai' as const, content, createdAt };
          return (await conversations.addMessage(ownerDid, sessionId, message)) === 'added';
        },
      },
      signal,
    );
    if (outcome.failure?.cause !== undefined) log.error({ err: outcome.failure.cause, runId }, 'turn failed');
    await attempt('run not closed', () => runs.end(runId, outcome.status));
    this.#parts.onTurnEnd(outcome.status);
    return outcome;
  }

  #titleAfter(finished: Promise<TurnOutcome>, send: SendRequest): void {
    const task = finished
      .then(async ({ status }) => {
        const title = titleFrom(send.message);
        if (status !== 'finished' || title === undefined) return;
        await this.#parts.conversations.setFirstTitle(send.ownerDid, send.sessionId, title, this.#parts.now());
      })
      .catch((err: unknown) => this.#parts.log.error({ err }, 'title not set'))
      .finally(() => this.#background.delete(task));
    this.#background.add(task);
  }

  #release(sessionId: string, active: ActiveTurn): void {
    this.#active.delete(sessionId);
    active.release();
  }

  async #allReleased(): Promise<void> {
    await Promise.all([...this.#active.values()].map((active) => active.released));
  }
}
