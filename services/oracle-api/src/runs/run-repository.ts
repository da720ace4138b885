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
  /** Usage that a meter has not acknowledged (`UsageOutbox`). */
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

/** A run taken over from a dead writer, to be ended. */
export interface OrphanedRun extends RunStart {
  /** The answer as far as the writer had come when it last renewed its lease. */
  readonly partialText: string;
}

/** The writer of a run, and the lease duration. */
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

/** The session of a claimed run. */
export interface ClaimedSession {
  readonly title?: string | undefined;
  /** The Matrix room that it was created for. */
  readonly roomId?: string | undefined;
  /** The branch that the turn is on; absent on the trunk. */
  readonly branch?: Branch | undefined;
}

export type ClaimResult = ClaimedSession | 'occupied' | 'request_id_used' | 'no_session';

export type EnqueueResult = Exclude<ClaimResult, 'occupied'> | 'queue_full';

/** Queued runs at a time. */
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
 * The records of runs: owner, writer, status. Frames are in `log/`.
 *
 * Ownership: a query for an owner returns only runs of that owner; another's run is absent.
 * One writer: at most one run of a session runs at a time. Each run has one writer until its lease expires; later writes of
 * that writer are ignored.
 * Atomicity: a run and its message are stored in one statement.
 * Failure: an unavailable store rejects; nothing is half done.
 */
export interface RunRepository {
  /** Starts the run in its session and stores the message. A request id is used once in a session. */
  claim(run: RunStart, lease: Lease, message: StoredMessage): Promise<ClaimResult>;
  /**
   * Adds a run that waits for those asked for before it in its session, and keeps the message. `queue_full` where so many wait
   * there, or of this owner in all sessions, however many are sent at once and wherever.
   */
  enqueue(run: RunStart, lease: Lease, message: StoredMessage, most: QueueLimits): Promise<EnqueueResult>;
  /** Starts the queued runs of a writer that are first in their sessions; their ids. */
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
