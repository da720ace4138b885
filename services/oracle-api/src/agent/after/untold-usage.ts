import type { MeteredTurn } from './turn-usage.js';

/** Longer than telling all meters takes (`tell-meters.ts`). */
export const retryMs = 10_000;
export const longestRetryMs = 300_000;

/**
 * What turns took of which a meter could not be told. It is kept in the step in which its run ends or begins to wait
 * (`RunRegister.end`, `PausedTurns.pause`), once for each run and part, and stays when run, session and account are gone.
 *
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface UntoldUsage {
  /**
   * Takes what is due to be told, the longest due first, each for one of many who take at once. What is not dropped then is due
   * again after `retryMs`, twice as long each time, up to `longestRetryMs`.
   */
  take(limit: number): Promise<MeteredTurn[]>;
  /** Whether some part of a run is not told yet, besides the part that is named. */
  has(runId: string, besides?: number): Promise<boolean>;
  /** All meters know of it now. */
  drop(turn: Pick<MeteredTurn, 'runId' | 'part'>): Promise<void>;
}
