import type { LiveEvent, RunEvent } from '@mlango/schemas/oracle-events';

/** Anything that happens in a turn, as those who follow it are told. */
export type TurnEvent = RunEvent | LiveEvent;

/** Which turn an event is of, and whose. */
export interface TurnPlace {
  readonly runId: string;
  readonly ownerDid: string;
  readonly sessionId: string;
  /** Becomes the id of the answer. */
  readonly requestId: string;
}

/**
 * Where a turn tells what happens in it: the log of its run, and the sockets of its session.
 *
 * Order: one call at a time, in the order in which things happened; `done` is the last event of a run, and
 * `message_cache_invalidation` follows it.
 * Failure: a listener that rejects or throws is logged and passed over. It never stops a turn, nor the other listeners.
 */
export interface TurnEvents {
  emit(turn: TurnPlace, event: TurnEvent): Promise<void> | void;
}

/** Tells each of the listeners in turn; a failing one is reported and does not keep an event from the others. */
export function tellAll(listeners: readonly TurnEvents[], onFailure: (error: unknown, turn: TurnPlace) => void) {
  // Most are done at once: only those that are not are waited for.
  const tellFrom = (place: number, turn: TurnPlace, event: TurnEvent): Promise<void> | undefined => {
    for (let index = place; index < listeners.length; index++) {
      try {
        const told = listeners[index]?.emit(turn, event);
        if (!(told instanceof Promise)) continue;
        const settled = told.catch((error: unknown) => onFailure(error, turn));
        return settled.then(() => tellFrom(index + 1, turn, event));
      } catch (error) {
        onFailure(error, turn);
      }
    }
    return undefined;
  };
  return { emit: (turn: TurnPlace, event: TurnEvent) => tellFrom(0, turn, event) } satisfies TurnEvents;
}
