import type { LiveEvent, RunEvent } from '@mlango/schemas/oracle-events';
import type { RunWriter } from '../runs/log/append.js';
import { isLoggedEvent, type RunStart } from '../runs/log/store.js';
import type { Turn } from './turn.js';
import { questionIdOf } from './turn-request.js';

/** An event of a turn, as sent to its followers. */
export type TurnEvent = RunEvent | LiveEvent;

/**
 * Receives the events of turns in addition to the run logs, for example the sockets of a session.
 * Order: one call per event, in order; `done` is the last event of a run, and `message_cache_invalidation` follows it. The listener
 * does slow work asynchronously, in order and bounded.
 * Failure: a listener that throws is logged and skipped. It stops neither the turn nor other listeners.
 */
export interface TurnListener {
  emit(run: RunStart, event: TurnEvent): void;
}

export interface TurnEventsParts {
  readonly run: RunStart;
  readonly log: Pick<RunWriter, 'write' | 'isFull' | 'room'>;
  readonly listeners: readonly TurnListener[];
  readonly onFailure: (error: unknown) => void;
}

/** Publishes the events of a turn to its log and its listeners, in order and bounded. */
export class TurnEvents {
  readonly #parts: TurnEventsParts;

  constructor(parts: TurnEventsParts) {
    this.#parts = parts;
  }

  /** Sends an event to all followers; events of the run are stored in its log. Never throws. */
  publish(event: TurnEvent): void {
    const { run, log, listeners, onFailure } = this.#parts;
    if (isLoggedEvent(event)) log.write(event);
    notifyListeners(listeners, run, event, onFailure);
  }

  /** Whether the log buffer is full: publishers then wait for `room`. */
  get isFull(): boolean {
    return this.#parts.log.isFull;
  }

  /** Resolves once there is room again, or without a log. Never rejects. */
  room(): Promise<void> {
    return this.#parts.log.room();
  }
}

/** Notifies each listener. A failing listener is reported and does not affect the others. */
export function notifyListeners(
  listeners: readonly TurnListener[],
  run: RunStart,
  event: TurnEvent,
  onFailure: (error: unknown) => void,
): void {
  for (const listener of listeners) {
    try {
      listener.emit(run, event);
    } catch (error) {
      onFailure(error);
    }
  }
}

/**
 * Notifies all followers of a session that a message is queued or its run has started, with the message for other clients and the run
 * id to join.
 */
export function publishRunStatus(
  { run, request }: Pick<Turn, 'run' | 'request'>,
  status: 'queued' | 'running',
  { listeners, now, log }: Notifications & { readonly now: () => Date },
): void {
  const { runId, sessionId, requestId } = run;
  const { message, attachments, branchFrom: instead } = request;
  const data = {
    sessionId,
    requestId,
    runId,
    status,
    messageId: questionIdOf(requestId),
    message,
    ...(attachments === undefined ? {} : { attachments: attachments.map((each) => ({ ...each })) }),
    ...(instead === undefined ? {} : { instead: instead.of.messageId }),
    timestamp: now().toISOString(),
  };
  notifyListeners(listeners, run, { event: 'run_status', data }, (err) =>
    log.error({ err, runId }, 'turn listener failed'),
  );
}

/** The listeners of a process, and where their failures are logged. */
interface Notifications {
  readonly listeners: readonly TurnListener[];
  readonly log: { error(fields: object, text: string): void };
}

/** Notifies clients that their cached messages of the session are out of date. */
export function publishMessagesChanged(run: RunStart, { listeners, log }: Notifications): void {
  const { runId, sessionId, requestId } = run;
  const data = { sessionId, requestId, status: 'done' as const };
  notifyListeners(listeners, run, { event: 'message_cache_invalidation', data }, (err) =>
    log.error({ err, runId }, 'turn listener failed'),
  );
}
