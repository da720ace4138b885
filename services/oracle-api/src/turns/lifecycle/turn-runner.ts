import { setTimeout as sleep } from 'node:timers/promises';
import { RunWriter } from '../../runs/run-writer.js';
import type { AddMessageResult } from '../../store/conversation-store.js';
import { ConversationSummaries } from '../context/conversation-summaries.js';
import { prepareTurn } from '../context/prepare-turn.js';
import type { ActiveTurn } from './active-turn.js';
import { inOrder } from './in-order.js';
import { runRecorder } from './run-recorder.js';
import { runTurn } from './run-turn.js';
import type { PlacedSend, SendRequest } from './send-request.js';
import type { AnswerParts, Turn, TurnOutcome, TurnPorts } from './turn.js';
import { type TurnEvent, type TurnEvents, type TurnPlace, tellAll } from './turn-event.js';
import type { TurnsParts } from './turn-parts.js';

const retryMs = 250;
/** How long the end of a turn waits for the end of its log. */
const logWaitMs = 1_000;
/** How long a turn's log may be out of reach before the rest of it is given up. */
const patienceMs = 30_000;

/** Runs one turn: keeps its message, writes its log, keeps its answer, and tells the register how it ended. */
export class TurnRunner {
  readonly #parts: TurnsParts;
  readonly #writerId: string;
  readonly #listeners: TurnEvents;
  readonly #summaries: ConversationSummaries;

  constructor(parts: TurnsParts, writerId: string) {
    this.#parts = parts;
    this.#writerId = writerId;
    this.#summaries = new ConversationSummaries(parts);
    this.#listeners = tellAll(parts.listeners, (err, { runId }) =>
      parts.log.error({ err, runId }, 'event of a turn lost'),
    );
  }

  /** Begins the log and keeps the message. Rejects when that cannot be done, with nothing kept. */
  async start(send: SendRequest, active: ActiveTurn): Promise<'started' | 'no_session' | 'request_id_used'> {
    const { conversations, runs, now, log } = this.#parts;
    const { run } = active;
    await runs.begin(run, this.#writerId).catch((error: unknown) => {
      // Nobody reads along, and the answer is worth more than its log.
      if (send.isFollowed) throw error;
      active.hasLog = false;
      log.error({ err: error, runId: run.runId }, 'run without a log');
    });
    let added: AddMessageResult | undefined;
    try {
      added = await conversations.addMessage(send.ownerDid, send.sessionId, {
        // Made from the request id, so that a send that is repeated is found out before anything runs.
        messageId: `${send.requestId}~human`,
        turnId: run.runId,
        type: 'human',
        content: send.message,
        ...(send.attachments === undefined ? {} : { attachments: send.attachments }),
        createdAt: now(),
      });
    } finally {
      if (added !== 'added') await runs.forget([run]).catch(() => undefined);
    }
    if (added === 'added') return 'started';
    return added === 'absent' ? 'no_session' : 'request_id_used';
  }

  /** Never rejects. */
  async run(send: PlacedSend, active: ActiveTurn): Promise<TurnOutcome> {
    const { runs, register, log, onTurnEnd } = this.#parts;
    const { run } = active;
    const { runId } = run;
    const writer = new RunWriter({
      store: runs,
      run,
      writerId: this.#writerId,
      hasLog: active.hasLog,
      retryMs,
      patienceMs,
      onLost: () => active.stop('lost'),
      onBroken: (err) => log.error({ err, runId }, 'log of a run given up'),
    });
    const events = tellAll([runRecorder(writer), this.#listeners], () => undefined);
    // Tools run side by side, and tell of themselves when they like.
    const emit = inOrder((event: TurnEvent) => {
      if (event.event === 'message') active.text += event.data.content;
      return events.emit(run, event);
    });
    const outcome = await this.#turn(send, active, emit);
    if (outcome.failure?.cause !== undefined) log.error({ err: outcome.failure.cause, runId }, 'turn failed');
    // A log that cannot be kept now is tried on; neither the answer nor the session waits for it.
    await Promise.race([writer.end(isKept(outcome)), sleep(logWaitMs, undefined, { ref: false })]);
    await register
      .end(runId, this.#writerId, outcome.status, writer.marks.toString())
      .catch((err: unknown) => log.error({ err, runId }, 'end of a run not registered'));
    onTurnEnd(outcome.status);
    await this.#meter(send, run, outcome);
    await this.tellOfChange(run);
    return outcome;
  }

  /** The session is gone, and with it what is held of it. */
  forget(sessionId: string): void {
    this.#summaries.forget(sessionId);
  }

  /** Says that what clients hold of the session's messages is out of date. */
  async tellOfChange(turn: TurnPlace): Promise<void> {
    const { sessionId, requestId } = turn;
    const data = { sessionId, requestId, status: 'done' as const };
    await this.#listeners.emit(turn, { event: 'message_cache_invalidation', data });
  }

  async #meter({ model }: SendRequest, run: TurnPlace, { usage }: TurnOutcome): Promise<void> {
    if (usage === undefined) return;
    const { runId, ownerDid, sessionId, requestId } = run;
    for (const meter of this.#parts.meters) {
      try {
        await meter.record({ ...usage, runId, ownerDid, sessionId, requestId, modelId: model.id });
      } catch (err) {
        this.#parts.log.error({ err, runId }, 'usage of a turn not recorded');
      }
    }
  }

  async #turn(send: PlacedSend, active: ActiveTurn, emit: TurnPorts['emit']): Promise<TurnOutcome> {
    const { conversations, oracleName, now, newId } = this.#parts;
    const { ownerDid, sessionId, timezone } = send;
    const { run, signal } = active;
    const turn: Turn = {
      ...run,
      ...(timezone === undefined ? {} : { timezone }),
      prepare: () =>
        prepareTurn(this.#parts, this.#summaries, { send, place: run, signal, emit: async (event) => emit(event) }),
    };
    const saveAnswer = async (answer: AnswerParts, createdAt: Date): Promise<boolean> => {
      const message = { messageId: run.requestId, turnId: run.runId, type: 'ai' as const, ...answer, createdAt };
      return (await conversations.addMessage(ownerDid, sessionId, message)) === 'added';
    };
    return runTurn(turn, { oracleName, now, newId, emit, saveAnswer }, signal);
  }
}

/** Whether the frames hold nothing that the conversation lacks. */
function isKept({ messageId, content, toolCalls }: TurnOutcome): boolean {
  return messageId !== undefined || (content === '' && toolCalls === undefined);
}
