import type { LiveEvent, RunEvent } from '@mlango/schemas/oracle-events';
import { isKeptEvent } from '../../runs/kept-event.js';
import type { RunStart } from '../../runs/run-store.js';
import type { RunWriter } from '../../runs/run-writer.js';

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
  tell(event: TurnEvent): void {
    const { run, log, listeners, onFailure } = this.#parts;
    if (isKeptEvent(event)) log.write(event);
    tellAll(listeners, run, event, onFailure);
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
export function tellAll(
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
