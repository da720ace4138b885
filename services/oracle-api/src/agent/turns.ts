import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { LeaseRenewer } from '../runs/lease.js';
import { firstFrame } from '../runs/log/frames.js';
import { RunQueue } from '../runs/run-queue.js';
import type { ClaimedSession, StopRequest } from '../runs/run-repository.js';
import { stopRuns } from '../runs/stop.js';
import { branchInsteadOf, isOnBranch } from '../store/branches.js';
import type { PlacedMessage, StoredMessage } from '../store/sessions.js';
import type { TurnDeps, TurnsDeps } from './deps.js';
import { recoverOrphans } from './recovery.js';
import { runTurn } from './run-turn.js';
import { resumeTurns, type SettledTurn } from './suspension.js';
import { SessionTitles } from './title.js';
import { type SendResult, Turn, type TurnOutcome } from './turn.js';
import { publishMessagesChanged, publishRunStatus } from './turn-events.js';
import { questionIdOf, type TurnRequest } from './turn-request.js';
import { retryUsageReports } from './usage.js';

/** Ended runs are deleted once per this many recovery rounds. */
const forgetEveryRounds = 100;

/**
 * The turns of this process. At most one turn of a session runs at a time, over all processes. A turn is independent of
 * connections: it runs to its end without readers too.
 */
export class Turns {
  readonly #parts: TurnDeps;
  readonly #leases: LeaseRenewer;
  readonly #active = new Map<string, Turn>();
  readonly #titles: SessionTitles;
  readonly #queue: RunQueue;
  readonly #leave: () => void;
  #isClosed = false;
  #rounds = 0;
  /** More turns are past retention than one batch deletes. */
  #hasOld = false;
  /** Recovery steps whose last attempt failed. */
  readonly #failingSteps = new Set<string>();
  /** Messages with a run that is being claimed or enqueued. */
  #starting = 0;

  constructor(parts: TurnsDeps) {
    const { runRepository, signals, log, limits, newId } = parts;
    const lease = { writerId: newId(), leaseMs: limits.leaseMs };
    this.#parts = { ...parts, lease };
    this.#titles = new SessionTitles(parts);
    this.#queue = new RunQueue(this.#parts);
    this.#leave = signals.listen((signal) => {
      if (signal.kind === 'ended') this.#queue.onRunEnded(signal.sessionId);
    });
    this.#leases = new LeaseRenewer({
      runRepository,
      signals,
      lease,
      renewMs: limits.renewMs,
      active: this.#active,
      recover: () => this.#recover(),
      log,
    });
  }

  /**
   * Stores the message and starts its turn. A turn running in the session is interrupted with its partial answer stored,
   * or the message is queued (`RUN_CONFLICT`). Rejects when a store is unavailable; nothing has started then.
   */
  async send(request: TurnRequest): Promise<SendResult> {
    const { newId, limits } = this.#parts;
    if (this.#isFull()) return { kind: 'busy' };
    const turn = new Turn(request, request.runId ?? newId());
    const session = await this.#begin(turn);
    if (typeof session === 'string') return { kind: session };
    turn.roomId = session.roomId;
    turn.branch = session.branch;
    this.#active.set(turn.run.runId, turn);
    const isQueued = limits.onConflict === 'enqueue' && (await this.#queue.enter(turn));
    const finished = this.#run(turn, isQueued);
    if (session.title === undefined) this.#titles.writeAfter(finished, request);
    return { kind: 'started', runId: turn.run.runId, status: isQueued ? 'queued' : 'running', finished };
  }

  /** Stops the turns of a session of this owner on any replica. False when there are none. */
  async stop(ownerDid: string, sessionId: string, reason: StopRequest): Promise<boolean> {
    if (reason === 'aborted') await this.#stopSuspended(ownerDid, sessionId);
    return stopRuns(this.#parts, this.#active, { ownerDid, sessionId }, reason, () => this.#leases.renewNow());
  }

  /** As `selectBranch`. */
  selectBranch(ownerDid: string, sessionId: string, messageId: string) {
    return selectBranch(this.#parts, ownerDid, sessionId, messageId);
  }

  /** Deletes a session with its messages, its runs and their frames. False when the session is absent. */
  async deleteSession(ownerDid: string, sessionId: string): Promise<boolean> {
    const { runRepository, runs, conversations } = this.#parts;
    await this.stop(ownerDid, sessionId, 'aborted');
    const runIds = await runRepository.listOfSession(ownerDid, sessionId);
    await runs.forget(runIds.map((runId) => ({ runId, ownerDid })));
    return conversations.deleteSession(ownerDid, sessionId);
  }

  /** Number of running turns of this process. */
  get running(): number {
    return this.#active.size;
  }

  /** Waits up to `graceMs` for turns to finish, then interrupts the rest. Resolves when all are stored. */
  async drain(graceMs: number): Promise<void> {
    const deadline = new AbortController();
    const overdue = sleep(graceMs, undefined, { signal: deadline.signal }).catch(() => undefined);
    let isOverdue = false;
    void overdue.then(() => {
      isOverdue = true;
    });
    while (this.#active.size > 0 && !isOverdue) await Promise.race([this.#allReleased(), overdue]);
    deadline.abort();
    this.#isClosed = true;
    for (const turn of this.#active.values()) turn.stop('shutdown');
    await this.#allReleased();
    this.#leave();
    await this.#titles.close();
    await this.#leases.close();
  }

  #isFull(): boolean {
    return this.#isClosed || this.#active.size + this.#starting >= this.#parts.limits.activeTurns;
  }

  #begin(turn: Turn) {
    const { ownerDid, sessionId } = turn.run;
    const makeRoom = async () => {
      await this.stop(ownerDid, sessionId, 'superseded');
      return !this.#isClosed;
    };
    this.#starting++;
    return beginTurn(turn, this.#parts, makeRoom).finally(() => this.#starting--);
  }

  /** Runs the turn when its run leaves the queue, then releases its session. Never rejects. */
  async #run(turn: Turn, isQueued: boolean): Promise<TurnOutcome> {
    try {
      // The request is answered first.
      await setImmediate();
      if (isQueued) {
        publishRunStatus(turn, 'queued', this.#parts);
        await this.#queue.untilReady(turn);
      }
      if (!turn.signal.aborted) publishRunStatus(turn, 'running', this.#parts);
      turn.limit(this.#parts.limits.turnTimeoutMs);
      return await this.#parts.telemetry.turn(turn, () => runTurn(turn, this.#parts));
    } finally {
      // A suspended run may resume here before this turn is released.
      if (this.#active.get(turn.run.runId) === turn) this.#active.delete(turn.run.runId);
      turn.release();
      this.#notifyEnded(turn.run.sessionId);
    }
  }

  /** The next queued run of the session may start, in any process. */
  #notifyEnded(sessionId: string): void {
    if (this.#parts.limits.onConflict !== 'enqueue') return;
    this.#queue.onRunEnded(sessionId);
    void this.#parts.signals.send({ kind: 'ended', sessionId });
  }

  /** Resumes suspended runs with decided or expired calls. Rejects when a store is unavailable. */
  async resume(settled?: SettledTurn): Promise<void> {
    if (this.#isFull()) return;
    for await (const turn of resumeTurns(this.#parts, () => !this.#isFull(), settled)) {
      this.#active.set(turn.run.runId, turn);
      void this.#run(turn, false);
    }
  }

  /** Denies the pending approvals of a session, so that its run can be stopped. */
  async #stopSuspended(ownerDid: string, sessionId: string): Promise<void> {
    const denied = await this.#parts.approvals.withdraw(ownerDid, sessionId, 'I have stopped this.');
    if (denied > 0) await this.resume();
  }

  /** Never rejects: a step that fails does not keep the later steps from running. */
  async #recover(): Promise<void> {
    const { runRepository, limits, gate, forgetOld } = this.#parts;
    const isTime = this.#rounds++ % forgetEveryRounds === 0;
    await this.#recoveryStep('advance queues', () => this.#queue.advanceAll());
    await this.#recoveryStep('end orphaned runs', () => recoverOrphans(this.#parts, [...this.#active.keys()]));
    await this.#recoveryStep('resume suspended runs', () => this.resume());
    if (isTime) await this.#recoveryStep('delete ended runs', () => runRepository.deleteEnded(limits.retentionMs));
    await this.#recoveryStep('report usage', () => retryUsageReports(this.#parts));
    await this.#recoveryStep('release payment holds', async () => gate.retryReleases?.());
    if (!isTime && !this.#hasOld) return;
    await this.#recoveryStep('delete turns past retention', async () => {
      this.#hasOld = (await forgetOld?.()) === true;
    });
  }

  /** Logs the failure of a step once until the step succeeds again. */
  async #recoveryStep(step: string, run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
      this.#failingSteps.delete(step);
    } catch (err) {
      if (!this.#failingSteps.has(step)) this.#parts.log.error({ err, step }, 'recovery step failed, will retry');
      this.#failingSteps.add(step);
    }
  }

  async #allReleased(): Promise<void> {
    await Promise.all([...this.#active.values()].map(({ released }) => released));
  }
}

/**
 * Selects the newest of the branches that contain a message, and notifies the followers of the session. Returns the last user message
 * of the branch; undefined when the message is absent. Running turns stay on their branches.
 */
async function selectBranch(
  parts: Pick<TurnsDeps, 'conversations' | 'listeners' | 'log'>,
  ownerDid: string,
  sessionId: string,
  messageId: string,
): Promise<PlacedMessage | undefined> {
  const { conversations } = parts;
  const [message, tips] = await Promise.all([
    conversations.findQuestion(ownerDid, sessionId, messageId),
    conversations.branchTips(ownerDid, sessionId),
  ]);
  const tip = message && tips.find(({ branch }) => isOnBranch(message, branch));
  if (tip === undefined || !(await conversations.selectBranch(ownerDid, sessionId, tip.branch ?? null)))
    return undefined;
  publishMessagesChanged({ ownerDid, sessionId, runId: '', requestId: '' }, parts);
  return tip;
}

/** Maximum attempts when other turns run in the session. */
const claimAttempts = 50;

type BeginParts = Pick<TurnDeps, 'runRepository' | 'runs' | 'lease' | 'now' | 'log' | 'limits'>;

type Begun = ClaimedSession | Exclude<SendResult['kind'], 'started'>;

/**
 * Begins the log of a turn, with its first frame unless it may be queued, then claims the run in its session and stores its message in
 * one step. Returns the session data. After a crash before that step nothing has begun; after it the message is stored. Rejects when a
 * store is unavailable or admission refuses the turn; nothing is stored then.
 * @param makeRoom stops the running turn of the session; false when no turn may begin any more
 */
async function beginTurn(turn: Turn, parts: BeginParts, makeRoom: () => Promise<boolean>): Promise<Begun> {
  let begun: Begun = 'busy';
  try {
    const [allowed, log] = await Promise.allSettled([turn.request.allowed, beginLog(turn, parts)]);
    for (const step of [allowed, log]) if (step.status === 'rejected') throw step.reason;
    begun = await claim(turn, parts, makeRoom);
    return begun;
  } finally {
    if (typeof begun === 'string') await parts.runs.forget([turn.run]).catch(() => undefined);
  }
}

async function beginLog(turn: Turn, { runs, lease, limits, log }: BeginParts): Promise<void> {
  // A turn that may be queued writes its first frame when it starts.
  if (limits.onConflict !== 'enqueue') turn.begun = [firstFrame(turn.run)];
  try {
    await runs.begin(turn.run, lease.writerId, turn.begun);
  } catch (err) {
    if (turn.request.isFollowed) throw err;
    // Without a reader, the answer is worth more than its log.
    turn.hasLog = false;
    log.error({ err, runId: turn.run.runId }, 'run log not started, continuing without it');
  }
}

async function claim(
  { run, request }: Turn,
  { runRepository, limits, lease, now }: BeginParts,
  makeRoom: () => Promise<boolean>,
): Promise<Begun> {
  const { requestId, message, attachments, branchFrom: instead } = request;
  const { runId: id } = run;
  for (let attempt = 0; attempt < claimAttempts; attempt++) {
    const question: StoredMessage = {
      messageId: questionIdOf(requestId),
      turnId: run.runId,
      type: 'human',
      content: message,
      ...(attachments === undefined ? {} : { attachments }),
      ...(instead === undefined ? {} : { branch: branchInsteadOf(instead.of, { id, isAgain: instead.isAgain }) }),
      createdAt: now(),
    };
    const isEnqueued = limits.onConflict === 'enqueue';
    const result = await (isEnqueued
      ? runRepository.enqueue(run, lease, question, limits.queue)
      : runRepository.claim(run, lease, question));
    if (result !== 'occupied') return result;
    if (!(await makeRoom())) break;
  }
  return 'busy';
}
