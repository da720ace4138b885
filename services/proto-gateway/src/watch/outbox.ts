import type { EventFrame } from './event.js';

/** The transport of one reader. */
export interface Outlet<To> {
  /** Reserves the bytes of an event. False: the budget is exhausted at the moment. */
  readonly takeRoom: (frame: EventFrame, to: To) => boolean;
  /** Sends an event. False: nothing more until `Outbox.drained` is called. */
  readonly write: (frame: EventFrame, to: To) => boolean;
  /** Called for each event that a newer one replaced. */
  readonly onSkip: () => void;
}

/** Maximum of pending blocks of a slow reader; beyond it the oldest is dropped. */
const BLOCKS = 100;

/**
 * The pending events of one reader. Only the latest answer and the latest state of each subscription are held: a slow reader
 * misses superseded answers, never the last one.
 */
export class Outbox<To> {
  readonly #outlet: Outlet<To>;
  readonly #waiting = new Map<To, EventFrame[]>();
  #isFree = true;

  constructor(outlet: Outlet<To>) {
    this.#outlet = outlet;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  offer(to: To, frame: EventFrame): void {
    const waiting = this.#waiting.get(to) ?? [];
    const rivals = waiting.filter((other) => isRival(other, frame));
    if (rivals.length >= (frame.kind === 'block' ? BLOCKS : 1)) {
      waiting.splice(waiting.indexOf(rivals[0] ?? frame), 1);
      this.#outlet.onSkip();
    }
    waiting.push(frame);
    this.#waiting.set(to, waiting);
    this.flush();
  }

  forget(to: To): void {
    this.#waiting.delete(to);
  }

  /** Pending bytes have been sent. */
  drained(): void {
    this.#isFree = true;
    this.flush();
  }

  /** Sends events while there is capacity. */
  flush(): void {
    for (const [to, frames] of this.#waiting) {
      for (let frame = frames[0]; frame !== undefined; frame = frames[0]) {
        if (!this.#isFree || !this.#outlet.takeRoom(frame, to)) return;
        frames.shift();
        this.#isFree = this.#outlet.write(frame, to);
      }
      this.#waiting.delete(to);
    }
  }
}

/** The later event supersedes the earlier. */
function isRival(one: EventFrame, other: EventFrame): boolean {
  return (one.kind === 'status') === (other.kind === 'status');
}
