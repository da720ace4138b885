import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease, StopRequest } from '../../runs/run-register.js';
import type { RunStart } from '../../runs/run-store.js';
import { SessionTitles } from '../after/session-titles.js';
import { ActiveTurn } from './active-turn.js';
import { recoverRun } from './recover-run.js';
import { RunKeeper } from './run-keeper.js';
import type { PlacedSend, SendRequest, SendResult } from './send-request.js';
import type { TurnOutcome } from './turn.js';
import type { TurnsParts } from './turn-parts.js';
import { TurnRunner } from './turn-runner.js';

/** How often a message may find another turn in its session. */
const claimAttempts = 50;

/** Runs that are too old are looked for in one of so many rounds. */
const forgetEveryRounds = 100;

/** Runs taken over in one round. */
const orphansAtOnce = 20;

/**
 * The turns of this process. Of a session at most one runs at a time, in whichever process. A turn belongs to nobody's
 * connection: it runs to its end whether or not somebody reads along.
 */
export class Turns {
  readonly #parts: TurnsParts;
  readonly #lease: Lease;
  readonly #runner: TurnRunner;
  readonly #keeper: RunKeeper;
  readonly #active = new Map<string, ActiveTurn>();
  readonly #titles: SessionTitles;
  #isClosed = false;
  #rounds = 0;
  /** Messages that wait for their place. */
  #starting = 0;

  constructor(parts: TurnsParts) {
    const { register, signals, log, limits } = parts;
    this.#parts = parts;
    this.#lease = { writerId: parts.newId(), leaseMs: limits.leaseMs };
    this.#titles = new SessionTitles(parts);
    this.#runner = new TurnRunner(parts, this.#lease.writerId);
    this.#keeper = new RunKeeper({
      register,
      signals,
      lease: this.#lease,
      renewMs: limits.renewMs,
      active: this.#active,
      recover: () => this.#recover(),
      log,
    });
  }

  /**
   * Keeps the message and starts the turn that answers it. A turn that still runs in the session is interrupted first,
   * with what it has said so far kept, or waited for. Rejects when the stores cannot be reached, in which case nothing was
   * started.
   */
  async send(send: SendRequest): Promise<SendResult> {
    const { ownerDid, sessionId, requestId } = send;
    if (this.#isFull()) return { kind: 'busy' };
    const session = await this.#parts.conversations.findSession(ownerDid, sessionId);
    if (session === undefined) return { kind: 'no_session' };
    const run = { runId: this.#parts.newId(), ownerDid, sessionId, requestId };
    const active = new ActiveTurn(run);
    const refusal = await this.#claim(active);
    if (refusal !== undefined) return { kind: refusal };
    try {
      const started = await this.#runner.start(send, active);
      if (started !== 'started') {
        await this.#release(active);
        return { kind: started };
      }
    } catch (error) {
      await this.#release(active).catch(() => undefined);
      throw error;
    }
    const isWaiting = this.#parts.limits.onConflict === 'enqueue' && !(await this.#advance(active));
    const finished = this.#finish({ ...send, roomId: session.roomId }, active, isWaiting);
    if (session.title === undefined) this.#titles.writeAfter(finished, send);
    return { kind: 'started', runId: run.runId, status: isWaiting ? 'queued' : 'running', finished };
  }

  /**
   * Stops the turns of a session of this owner, wherever they run, and waits for them for a while. False when there are
   * none.
   */
  async stop(ownerDid: string, sessionId: string, reason: StopRequest): Promise<boolean> {
    const runIds = await this.#parts.register.requestStop(ownerDid, sessionId, reason);
    if (runIds.length === 0) return false;
    const local = runIds.flatMap((runId) => this.#active.get(runId) ?? []);
    for (const active of local) active.stop(reason);
    await Promise.all(local.map(({ released }) => released));
    if (local.length === runIds.length) return true;
    await this.#parts.signals.send();
    const { leaseMs, waitMs } = this.#parts.limits;
    for (let waitedMs = 0; waitedMs < leaseMs * 2; waitedMs += waitMs) {
      const live = await this.#parts.register.findLive(ownerDid, sessionId);
      if (live === undefined || !runIds.includes(live.runId)) break;
      await sleep(waitMs);
    }
    return true;
  }

  /** Deletes a session with its messages, its runs and their frames. False when there is no such session. */
  async deleteSession(ownerDid: string, sessionId: string): Promise<boolean> {
    await this.stop(ownerDid, sessionId, 'aborted');
    const runIds = await this.#parts.register.listOfSession(ownerDid, sessionId);
    await this.#parts.runs.forget(runIds.map((runId) => ({ runId, ownerDid })));
    this.#runner.forget(sessionId);
    return this.#parts.conversations.deleteSession(ownerDid, sessionId);
  }

  /** Lets turns finish for at most `graceMs`, then interrupts the rest. Resolves when all have ended and are kept. */
  async drain(graceMs: number): Promise<void> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), graceMs);
    const overdue = new Promise<void>((resolve) => {
      deadline.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    while (this.#active.size > 0 && !deadline.signal.aborted) await Promise.race([this.#allReleased(), overdue]);
    clearTimeout(timer);
    this.#isClosed = true;
    for (const active of this.#active.values()) active.stop('shutdown');
    await this.#allReleased();
    await this.#titles.close();
    await this.#keeper.close();
  }

  #isFull(): boolean {
    return this.#isClosed || this.#active.size + this.#starting >= this.#parts.limits.activeTurns;
  }

  /** Gives the run its place in its session; undefined once it has it. */
  async #claim(active: ActiveTurn): Promise<Exclude<SendResult['kind'], 'started'> | undefined> {
    const { run } = active;
    const { register, limits } = this.#parts;
    this.#starting++;
    try {
      for (let attempt = 0; attempt < claimAttempts && !this.#isClosed; attempt++) {
        const isEnqueued = limits.onConflict === 'enqueue';
        const result = await (isEnqueued ? register.enqueue(run, this.#lease) : register.claim(run, this.#lease));
        if (result === 'claimed') {
          this.#active.set(run.runId, active);
          return undefined;
        }
        if (result !== 'occupied') return result;
        await this.stop(run.ownerDid, run.sessionId, 'superseded');
      }
      return 'busy';
    } finally {
      this.#starting--;
    }
  }

  async #advance({ run }: ActiveTurn): Promise<boolean> {
    return (await this.#parts.register.advance(run.runId, this.#lease.writerId)) === 'running';
  }

  /** Runs the turn once it may, and lets its session go. Never rejects. */
  async #finish(send: PlacedSend, active: ActiveTurn, isWaiting: boolean): Promise<TurnOutcome> {
    try {
      if (isWaiting) await this.#untilFirst(active);
      active.limit(this.#parts.limits.turnTimeoutMs);
      return await this.#runner.run(send, active);
    } finally {
      this.#forget(active);
    }
  }

  /** Resolves when the run may run, or shall not any more. */
  async #untilFirst(active: ActiveTurn): Promise<void> {
    const { register, limits, log } = this.#parts;
    while (!active.signal.aborted) {
      try {
        const place = await register.advance(active.run.runId, this.#lease.writerId);
        if (place === 'running') return;
        if (place === 'lost') active.stop('lost');
      } catch (err) {
        log.error({ err, runId: active.run.runId }, 'waiting run could not look for its place');
      }
      await sleep(limits.waitMs, undefined, { signal: active.signal }).catch(() => undefined);
    }
  }

  async #recover(): Promise<void> {
    const { register, log, limits } = this.#parts;
    const orphans = await register.takeOrphans(this.#lease, orphansAtOnce, [...this.#active.keys()]);
    for (const orphan of orphans) {
      // One that cannot be recovered now is taken up again when this lease has run out.
      await this.#recoverOne(orphan).catch((err: unknown) =>
        log.error({ err, runId: orphan.runId }, 'run not recovered'),
      );
    }
    if (this.#rounds++ % forgetEveryRounds === 0) await register.forgetEnded(limits.retentionMs);
  }

  async #recoverOne(orphan: RunStart & { partialText: string }): Promise<void> {
    const { writerId } = this.#lease;
    const marks = await recoverRun(orphan, { ...this.#parts, writerId });
    await this.#parts.register.end(orphan.runId, writerId, 'interrupted', marks?.toString());
    this.#parts.onTurnEnd('interrupted');
    await this.#runner.tellOfChange(orphan);
  }

  async #release(active: ActiveTurn): Promise<void> {
    this.#forget(active);
    await this.#parts.register.withdraw(active.run.runId, this.#lease.writerId);
  }

  #forget(active: ActiveTurn): void {
    this.#active.delete(active.run.runId);
    active.release();
  }

  async #allReleased(): Promise<void> {
    await Promise.all([...this.#active.values()].map((active) => active.released));
  }
}
