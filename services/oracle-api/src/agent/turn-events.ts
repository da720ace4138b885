import type { LiveEvent, RunEvent } from '@mlango/schemas/oracle-events';
import type { RunWriter } from '../runs/log/append.js';
import { isLoggedEvent, type RunStart } from '../runs/log/store.js';
import { questionIdOf } from './turn-request.js';
import type { Turn } from './turn-state.js';

/** Anything that happens in a turn, as those who follow it are told. */
export type TurnEvent = RunEvent | LiveEvent;

/**
 * Who is told what happens in turns, beside the logs of their runs: the sockets of their sessions.
 *
 * Order: one call for each event, in the order in which things happened; `done` is the last event of a run, and
 * `message_cache_invalidation` follows it. What takes time the listener does by itself, in that order and bounded.
 * Failure: a listener that throws is logged and passed over. It never stops a turn, nor the other listeners.
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

/** Where a turn tells what happens in it: an ordered queue, which the log of the run keeps, with a bound. */
export class TurnEvents {
  readonly #parts: TurnEventsParts;

  constructor(parts: TurnEventsParts) {
    this.#parts = parts;
  }

  /** Tells those who follow the run; what belongs to the run is kept in its log. Never throws. */
  publish(event: TurnEvent): void {
    const { run, log, listeners, onFailure } = this.#parts;
    if (isLoggedEvent(event)) log.write(event);
    notifyListeners(listeners, run, event, onFailure);
  }

  /** Whether more was told than is kept yet: whoever tells much waits for `room` then. */
  get isFull(): boolean {
    return this.#parts.log.isFull;
  }

  /** Resolves once there is room again, or no log to wait for. Never rejects. */
  room(): Promise<void> {
    return this.#parts.log.room();
  }
}

/** Tells each of the listeners; a failing one is reported and does not keep an event from the others. */
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
 * Tells all who follow a session that a message of it waits for its turn, or is answered from now on: with the message, for those who
 * did not send it, and the run, for them to join.
 */
export function publishRunStatus(
  { run, request }: Pick<Turn, 'run' | 'request'>,
  status: 'queued' | 'running',
  { listeners, now, log }: Notifications & { readonly now: () => Date },
): void {
  const { runId, sessionId, requestId } = run;
  const { message, attachments, branchFrom: instead } = request;
  const data = {
    ...{ sessionId, requestId, runId, status, messageId: questionIdOf(requestId), message },
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

/** Says that what clients hold of the session's messages is out of date. */
export function publishMessagesChanged(run: RunStart, { listeners, log }: Notifications): void {
  const { runId, sessionId, requestId } = run;
  const data = { sessionId, requestId, status: 'done' as const };
  notifyListeners(listeners, run, { event: 'message_cache_invalidation', data }, (err) =>
    log.error({ err, runId }, 'turn listener failed'),
  );
}
