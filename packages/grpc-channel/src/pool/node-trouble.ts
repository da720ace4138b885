import type { Away } from '../connect-problem.js';

/** Why one node is not ready, by its connection and by its answers to looks. Each change is reported once. */
export class NodeTrouble {
  readonly #onChange: (away: Away | undefined) => void;
  #connection: Away | undefined;
  #answers: Away | undefined;
  #reported: Away | undefined;

  constructor(onChange: (away: Away | undefined) => void) {
    this.#onChange = onChange;
  }

  connection(away: Away | undefined): void {
    this.#connection = away;
    // What a new connection brings is not known yet. Without one there are no answers to judge.
    if (away !== undefined) this.#answers = undefined;
    this.#report();
  }

  answers(away: Away | undefined): void {
    // Calls to a node without a connection fail for the reason that was reported already.
    this.#answers = this.#connection === undefined ? away : undefined;
    this.#report();
  }

  #report(): void {
    const away = this.#connection ?? this.#answers;
    if (away?.reason === this.#reported?.reason) return;
    this.#reported = away;
    this.#onChange(away);
  }
}
