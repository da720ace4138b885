import type { Lease } from '../../runs/run-register.js';
import type { RunStart } from '../../runs/run-store.js';
import type { MeteredTurn } from '../after/turn-usage.js';
import type { PausedTurn } from './paused-turn.js';

/** A turn that goes on: the run has this process as its writer now. */
export interface ResumedRun extends RunStart {
  readonly state: PausedTurn;
}

/**
 * Turns that wait for their users, in whichever process they began.
 *
 * One writer: a turn that waits has none. Of many that would go on with it one does, and none while another turn of the session
 * runs or one of its calls waits.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface PausedTurns {
  /** Lets go of a run, which waits from then on. False when the writer does not hold it any more. What is untold is kept as at its end. */
  pause(run: RunStart, writerId: string, state: PausedTurn, untold?: MeteredTurn): Promise<boolean>;
  /** How a run waited last, also once it has gone on; undefined for one that never has. */
  find(runId: string): Promise<PausedTurn | undefined>;
  /** Those of whose calls none waits, or only ones that have for too long: the longest first. */
  listDue(limit: number): Promise<string[]>;
  /** Undefined where it need wait on, goes on elsewhere, or another turn of its session runs. */
  resume(runId: string, lease: Lease): Promise<ResumedRun | undefined>;
}
