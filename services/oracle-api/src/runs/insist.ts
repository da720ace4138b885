import { setTimeout as sleep } from 'node:timers/promises';
import { RunLost } from './run-store.js';

export interface Insistence {
  /** Tried again. */
  readonly act: () => Promise<void>;
  /** Brings back a log that is gone; `lost` where that is not this writer's to do. */
  readonly revive: () => Promise<'begun' | 'lost'>;
  /** Called after each failure that is waited out. */
  readonly onFailure?: () => void;
  /** Pause before it is tried again. */
  readonly retryMs: number;
  /** How long it is tried. */
  readonly patienceMs: number;
}

/** What became of it: `broken` where patience was at its end, with the last failure. */
export type Insisted = { readonly kind: 'done' | 'lost' } | { readonly kind: 'broken'; readonly error: unknown };

/** Does what a writer could not do again until it is done, the run is lost or patience is at its end. Never rejects. */
export async function insist(
  failed: unknown,
  { act, revive, onFailure, retryMs, patienceMs }: Insistence,
): Promise<Insisted> {
  let error = failed;
  for (let waitedMs = 0; ; ) {
    const isGone = error instanceof RunLost && error.isGone;
    // Who cannot find out whether the run is lost does not give it up.
    const revived = isGone ? await revive().catch(() => undefined) : undefined;
    if (revived === 'lost' || (error instanceof RunLost && !isGone)) return { kind: 'lost' };
    if (revived === undefined) {
      onFailure?.();
      if (waitedMs >= patienceMs) return { kind: 'broken', error };
      await sleep(retryMs);
      waitedMs += retryMs;
    }
    try {
      await act();
      return { kind: 'done' };
    } catch (again) {
      error = again;
    }
  }
}
