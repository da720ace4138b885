import type { LiveTurns } from './live-turns.js';
import type { MessageHistory } from './message-history.js';

/** Which way of a conversation a page shows, where the oracle may still list another. */
export class ShownBranch {
  readonly #turns: Pick<LiveTurns, 'setAside'>;
  readonly #history: Pick<MessageHistory, 'records' | 'hideFrom'>;

  constructor(turns: Pick<LiveTurns, 'setAside'>, history: Pick<MessageHistory, 'records' | 'hideFrom'>) {
    this.#turns = turns;
    this.#history = history;
  }

  /** What lies on another branch from now on is not shown any more. */
  leave(hidden: ReadonlySet<string> = new Set()): void {
    this.#turns.setAside(true, hidden);
    this.#history.hideFrom(this.#history.records.find(({ id }) => hidden.has(id))?.id);
  }

  /** There is no other branch. */
  comeBack(hidden: ReadonlySet<string> = new Set()): void {
    this.#turns.setAside(false, hidden);
    this.arrived();
  }

  /** The oracle lists the branch that is shown. */
  arrived(): void {
    this.#history.hideFrom(undefined);
  }

  /** Another branch was selected: what the oracle lists is all there is. */
  goOver(): void {
    this.#turns.setAside(true);
    this.arrived();
  }
}
