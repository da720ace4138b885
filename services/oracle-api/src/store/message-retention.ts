/** Messages that go at once. */
export const forgottenTurns = 200;

/**
 * Lets go of what was said too long ago.
 *
 * A turn is as old as the message that began it, and goes as a whole, with its run and the calls of its tools; one whose run has not
 * ended, or waits for its user, stays. A summary that such a turn is in goes with it: what is left is summarised anew when it is
 * needed. So does a session in which nothing is left.
 * One at a time: of many replicas that ask at once one does it.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface MessageRetention {
  /** Lets go of at most `forgottenTurns` turns that began longer than `ageMs` ago. Whether there may be more. */
  forgetOld(ageMs: number): Promise<boolean>;
}
