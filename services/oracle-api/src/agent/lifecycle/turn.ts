import type { RunFrame, RunStart } from '../../runs/run-store.js';
import type { TextMarks } from '../../runs/text-marks.js';
import type { Branch } from '../../store/branches.js';
import type { StoredMessage } from '../../store/conversation-store.js';
import { noUsage } from '../after/turn-usage.js';
import type { PausedTurn } from '../calls/paused-turn.js';
import { type StopReason, stop } from './stop-reason.js';
import type { Draft } from './turn-outcome.js';
import type { TurnRequest } from './turn-request.js';

/** A turn that has waited for its user, as it was then. */
export interface ResumedTurn {
  readonly state: PausedTurn;
  /** What had been said and done. */
  readonly answer: StoredMessage | undefined;
  /** Where its log stands; undefined where that is gone. */
  readonly marks: TextMarks | undefined;
}

/** A turn of this process that has not ended: what it answers, how far it is, how to stop it, and when it is over. */
export class Turn {
  readonly request: TurnRequest;
  readonly run: RunStart;
  /** The Matrix room that the session was created for, known once the turn has its place. */
  roomId: string | undefined;
  /** The branch that it is on, known with its place too; undefined on the trunk. */
  branch: Branch | undefined;
  readonly draft: Draft;
  /** Present when the turn goes on that has waited for its user. */
  readonly resumed: ResumedTurn | undefined;
  /** False when the log of the run could not be begun: the turn then goes on without one. */
  hasLog = true;
  /** Its span, where turns are traced. */
  traceparent: string | undefined;
  /** What the log began with. */
  begun: readonly RunFrame[] = [];
  /** Resolves when the turn is over and everything of it is kept. */
  readonly released: Promise<void>;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #resolve: () => void = () => undefined;

  constructor(request: TurnRequest, runId: string, resumed?: ResumedTurn) {
    const { ownerDid, sessionId, requestId } = request;
    this.request = request;
    this.run = { runId, ownerDid, sessionId, requestId };
    this.resumed = resumed;
    const { content = '', reasoning = '', toolCalls = [], components = [] } = resumed?.answer ?? {};
    const acted = toolCalls.filter(({ status }) => status !== 'waiting').length;
    const shown = { toolCalls: [...toolCalls], components };
    this.draft = { content, reasoning, ...shown, acted, usage: noUsage, isCut: false };
    this.released = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Aborts with the reason for which the turn was stopped (`stopReason`). */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on the turn has so much time. */
  limit(timeoutMs: number): void {
    this.#timer = setTimeout(() => this.stop('timeout'), timeoutMs);
  }

  /** The one way to end a turn before its model does; the first reason stands. */
  stop(reason: StopReason): void {
    stop(this.#controller, reason);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#resolve();
  }
}
