import type { RunStatus } from '@mlango/schemas/oracle-events';
import type { MeteredTurn } from '../agent/usage.js';
import type { Branch } from '../store/branches.js';
import type { AddMessageResult, StoredMessage } from '../store/sessions.js';
import type { RunStart } from './log/store.js';
import type { EndStatus } from './run.js';

/** Why a run is asked to stop from outside: by its user, or for a newer message. */
export type StopRequest = 'aborted' | 'superseded';

export interface StoredAtEnd {
  /** How the run's text lay in its frames; kept as long as the run is. */
  readonly textMarks?: string | undefined;
  /** What it took, where a meter could not be told (`UntoldUsage`). */
  readonly unreported?: MeteredTurn | undefined;
}

export interface RunRecord extends RunStart {
  readonly status: RunStatus;
  readonly createdAt: Date;
}

export interface FoundRun extends RunRecord {
  /** What was given with its end, of how its text lay in its frames. */
  readonly textMarks?: string;
}

/** A run whose writer is gone, taken over to be brought to an end. */
export interface OrphanedRun extends RunStart {
  /** The answer as far as the writer had come when it last renewed its lease. */
  readonly partialText: string;
}

/** Who writes a run, and for how long unless the lease is renewed. */
export interface Lease {
  readonly writerId: string;
  readonly leaseMs: number;
}

/** A run as its writer has it. */
export interface RunningRun {
  readonly runId: string;
  /** The answer so far; omitted where there is no more of it than before. */
  readonly partialText?: string;
}

/** What a turn knows of its session. */
export interface ClaimedSession {
  readonly title?: string | undefined;
  /** The Matrix room that it was created for. */
  readonly roomId?: string | undefined;
  /** The branch that the turn is on; absent on the trunk. */
  readonly branch?: Branch | undefined;
}

export type ClaimResult = ClaimedSession | 'occupied' | 'request_id_used' | 'no_session';

export type EnqueueResult = Exclude<ClaimResult, 'occupied'> | 'queue_full';

/** How many runs may wait at a time. */
export interface QueueLimits {
  readonly ofSession: number;
  readonly ofUser: number;
}

/** Runs of one state: how many, and how long ago the oldest was asked for, in ms. */
export interface UnfinishedRuns {
  readonly status: RunStatus;
  readonly count: number;
  readonly oldestMs: number;
}

export interface HeldRun {
  readonly runId: string;
  readonly stop?: StopRequest;
}

/**
 * Which runs there are, whose they are, who writes them and how they ended. Frames are kept elsewhere.
 *
 * Ownership: what is asked for an owner sees only runs of that owner; another's is exactly like none.
 * One writer: at any time at most one run of a session runs, and each run has one writer, which loses it when its lease
 * runs out. From then on the register takes no word of it any more.
 * Atomicity: a run and the message that it answers are kept in one step, so there is never one without the other.
 * Failure: a register that cannot be reached rejects; nothing is half done.
 */
export interface RunRepository {
  /** Makes the run the one that runs in its session, and keeps the message. A request id counts once in a session. */
  claim(run: RunStart, lease: Lease, message: StoredMessage): Promise<ClaimResult>;
  /**
   * Adds a run that waits for those asked for before it in its session, and keeps the message. `queue_full` where so many wait
   * there, or of this owner in all sessions, however many are sent at once and wherever.
   */
  enqueue(run: RunStart, lease: Lease, message: StoredMessage, most: QueueLimits): Promise<EnqueueResult>;
  /** Lets those waiting runs of a writer run before which none is left; their ids. */
  advance(writerId: string): Promise<string[]>;
  find(ownerDid: string, runId: string): Promise<FoundRun | undefined>;
  /** The run that runs in a session, else the first that waits. */
  findLive(ownerDid: string, sessionId: string): Promise<RunRecord | undefined>;
  /** The run of `findLive`, else the one asked for last. */
  findLatest(ownerDid: string, sessionId: string): Promise<RunRecord | undefined>;
  /** The run of a request that has not ended, in whichever session; ids that a door makes up are the owner's own. */
  findByRequest(ownerDid: string, requestId: string): Promise<RunRecord | undefined>;
  /** Asks all runs of the session that have not ended to stop; the ids of those. The first reason stands. */
  requestStop(ownerDid: string, sessionId: string, reason: StopRequest): Promise<string[]>;
  /**
   * Renews the leases of those runs that are the writer's, keeps how far they are, and tells which it still holds. No other run of the writer is
   * renewed: one that it does not run any more, because its end could not be registered or it could not be recovered, is taken up again.
   */
  renew(lease: Lease, running: readonly RunningRun[]): Promise<HeldRun[]>;
  /** Whether a run that has not ended is that writer's, in time with its lease or not. */
  isHeld(runId: string, writerId: string): Promise<boolean>;
  /** False when the writer does not hold the run. What is untold is kept in the same step, whether or not it does. */
  end(runId: string, writerId: string, status: EndStatus, kept?: StoredAtEnd): Promise<boolean>;
  /** As `end`, with the answer kept in the same step: whether that was added, as `ConversationStore.addMessage` has it. */
  endAnswered(
    run: RunStart,
    writerId: string,
    status: EndStatus,
    answer: StoredMessage,
    textMarks?: string,
  ): Promise<AddMessageResult>;
  /**
   * Takes over runs whose lease has run out, as `recovering`, those of the caller too that are not among `alive`: it may
   * have renewed too late. Of many callers one gets each run.
   */
  takeOrphans(lease: Lease, limit: number, alive: readonly string[]): Promise<OrphanedRun[]>;
  /** Those of all sessions that have not ended, and those that wait for their users, of each state that any is in. */
  countUnfinished(): Promise<readonly UnfinishedRuns[]>;
  /** The ids of all runs of a session that are kept. */
  listOfSession(ownerDid: string, sessionId: string): Promise<string[]>;
  /** Drops runs that ended longer than `ageMs` ago, and those of a deleted session; never one that waits for its user. */
  deleteEnded(ageMs: number): Promise<void>;
}
