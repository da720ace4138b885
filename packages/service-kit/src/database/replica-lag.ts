/** A look at both servers at one time: how far the log of writes reaches at the primary, and what of it the replica shows; in bytes. */
export interface ReplicaLook {
  /** When the look began. */
  readonly atMs: number;
  readonly written: bigint;
  readonly replayed: bigint;
}

/** Looks whose end a replica has not come to; more than that are minutes. */
const mostLooks = 600;

/**
 * How old what a replica shows may be. It is not asked for the time of its last transaction: one that was cut off from its primary would
 * call itself up to date, and so would one of a primary that writes nothing be called late.
 */
export class ReplicaLag {
  #open: ReplicaLook[] = [];
  #shownMs: number | undefined;

  take(look: ReplicaLook): void {
    this.#open.push(look);
    const shown = this.#open.findLast(({ written }) => written <= look.replayed);
    if (shown !== undefined) this.#shownMs = shown.atMs;
    this.#open = this.#open.filter(({ written }) => written > look.replayed).slice(-mostLooks);
  }

  /** What was committed so long ago is shown, and maybe more; undefined while nothing is known of it. */
  lagMs(nowMs: number): number | undefined {
    return this.#shownMs === undefined ? undefined : nowMs - this.#shownMs;
  }
}
