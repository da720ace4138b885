import type { AddMessageResult, ConversationStore, StoredMessage } from '../store/sessions.js';
import type { RunStart } from './log/store.js';
import { MemoryUntoldUsage } from './memory-usage-outbox.fixture.js';
import type { EndStatus } from './run.js';
import type {
  ClaimResult,
  EnqueueResult,
  FoundRun,
  HeldRun,
  Lease,
  OrphanedRun,
  QueueLimits,
  RunningRun,
  RunRecord,
  RunRepository,
  StopRequest,
  StoredAtEnd,
  UnfinishedRuns,
} from './run-repository.js';

interface Entry {
  record: FoundRun;
  writerId: string;
  leaseUntilMs: number;
  endedAtMs?: number;
  stop?: StopRequest;
  partialText: string;
}

/** Run repository in memory, for tests. */
export class MemoryRunRegister implements RunRepository {
  readonly #entries = new Map<string, Entry>();
  readonly untold: MemoryUntoldUsage;
  readonly #conversations: Pick<ConversationStore, 'addMessage' | 'findSession'>;
  readonly #nowMs: () => number;

  constructor(conversations: Pick<ConversationStore, 'addMessage' | 'findSession'>, nowMs: () => number) {
    this.#conversations = conversations;
    this.#nowMs = nowMs;
    this.untold = new MemoryUntoldUsage(nowMs);
  }

  claim(run: RunStart, lease: Lease, message: StoredMessage): Promise<ClaimResult> {
    return this.#add('running', run, lease, message);
  }

  async enqueue(run: RunStart, lease: Lease, message: StoredMessage, most: QueueLimits): Promise<EnqueueResult> {
    const queued = [...this.#entries.values()].filter(
      (entry) => isLive(entry) && entry.record.status === 'queued' && entry.record.ownerDid === run.ownerDid,
    );
    const ofSession = queued.filter(({ record }) => record.sessionId === run.sessionId);
    if (queued.length >= most.ofUser || ofSession.length >= most.ofSession) return 'queue_full';
    const result = await this.#add('queued', run, lease, message);
    if (result === 'occupied') throw new Error('a waiting run never occupies a session');
    return result;
  }

  async advance(writerId: string): Promise<string[]> {
    const first = [...this.#entries.values()].filter((entry) => {
      const { status, ownerDid, sessionId } = entry.record;
      return (
        isLive(entry) &&
        entry.writerId === writerId &&
        status === 'queued' &&
        this.#liveIn(ownerDid, sessionId)[0] === entry
      );
    });
    return first.map((entry) => {
      entry.record = { ...entry.record, status: 'running' };
      return entry.record.runId;
    });
  }

  async countUnfinished(): Promise<readonly UnfinishedRuns[]> {
    const kept = [...this.#entries.values()].filter((entry) => isLive(entry) || entry.record.status === 'waiting');
    return [...new Set(kept.map(({ record }) => record.status))].map((status) => {
      const ages = kept
        .filter(({ record }) => record.status === status)
        .map(({ record }) => this.#nowMs() - record.createdAt.getTime());
      return { status, count: ages.length, oldestMs: Math.max(...ages) };
    });
  }

  async find(ownerDid: string, runId: string): Promise<FoundRun | undefined> {
    const record = this.#entries.get(runId)?.record;
    if (record?.ownerDid !== ownerDid) return undefined;
    return (await this.#isKept(ownerDid, record.sessionId)) ? record : undefined;
  }

  async findLive(ownerDid: string, sessionId: string): Promise<RunRecord | undefined> {
    if (!(await this.#isKept(ownerDid, sessionId))) return undefined;
    const live = this.#liveIn(ownerDid, sessionId);
    return (live.find(({ record }) => record.status !== 'queued') ?? live[0])?.record;
  }

  async findLatest(ownerDid: string, sessionId: string): Promise<RunRecord | undefined> {
    return (await this.findLive(ownerDid, sessionId)) ?? this.#ofSession(ownerDid, sessionId).at(-1)?.record;
  }

  async findByRequest(ownerDid: string, requestId: string): Promise<RunRecord | undefined> {
    const asked = [...this.#entries.values()].filter(isLive);
    return asked.find(({ record }) => record.ownerDid === ownerDid && record.requestId === requestId)?.record;
  }

  async requestStop(ownerDid: string, sessionId: string, reason: StopRequest): Promise<string[]> {
    const live = this.#liveIn(ownerDid, sessionId);
    for (const entry of live) entry.stop ??= reason;
    return live.map(({ record }) => record.runId);
  }

  async renew({ writerId, leaseMs }: Lease, running: readonly RunningRun[]) {
    return running.flatMap(({ runId, partialText }): HeldRun[] => {
      const entry = this.#held(runId, writerId);
      if (entry === undefined) return [];
      entry.leaseUntilMs = this.#nowMs() + leaseMs;
      if (partialText !== undefined) entry.partialText = partialText;
      return [{ runId, ...(entry.stop === undefined ? {} : { stop: entry.stop }) }];
    });
  }

  async isHeld(runId: string, writerId: string): Promise<boolean> {
    return this.#held(runId, writerId) !== undefined;
  }

  async end(runId: string, writerId: string, status: EndStatus, { textMarks, unreported: untold }: StoredAtEnd = {}) {
    if (untold !== undefined) this.untold.keep(untold);
    const entry = this.#held(runId, writerId);
    if (entry === undefined) return false;
    entry.record = { ...entry.record, status, ...(textMarks === undefined ? {} : { textMarks }) };
    entry.endedAtMs = this.#nowMs();
    return true;
  }

  async endAnswered(run: RunStart, writerId: string, status: EndStatus, answer: StoredMessage, textMarks?: string) {
    const added = await this.#conversations.addMessage(run.ownerDid, run.sessionId, answer);
    await this.end(run.runId, writerId, status, { textMarks });
    return added;
  }

  async takeOrphans({ writerId, leaseMs }: Lease, limit: number, alive: readonly string[]): Promise<OrphanedRun[]> {
    const overdue = [...this.#entries.values()].filter((entry) => isLive(entry) && entry.leaseUntilMs < this.#nowMs());
    const orphans = overdue.filter((entry) => entry.writerId !== writerId || !alive.includes(entry.record.runId));
    return orphans.slice(0, limit).map((entry) => {
      entry.writerId = writerId;
      entry.leaseUntilMs = this.#nowMs() + leaseMs;
      if (entry.record.status !== 'queued') entry.record = { ...entry.record, status: 'recovering' };
      const { runId, ownerDid, sessionId, requestId } = entry.record;
      return { runId, ownerDid, sessionId, requestId, partialText: entry.partialText };
    });
  }

  async listOfSession(ownerDid: string, sessionId: string): Promise<string[]> {
    return this.#ofSession(ownerDid, sessionId).map(({ record }) => record.runId);
  }

  async deleteEnded(ageMs: number): Promise<void> {
    for (const [runId, entry] of this.#entries) {
      if (entry.endedAtMs !== undefined && entry.endedAtMs < this.#nowMs() - ageMs) this.#entries.delete(runId);
    }
  }

  async #add(
    status: 'running' | 'queued',
    run: RunStart,
    { writerId, leaseMs }: Lease,
    message: StoredMessage,
  ): Promise<ClaimResult> {
    const { runId, ownerDid, sessionId, requestId } = run;
    const others = this.#ofSession(ownerDid, sessionId);
    if (others.some(({ record }) => record.requestId === requestId)) return 'request_id_used';
    if (status === 'running' && others.some((other) => isLive(other) && other.record.status !== 'queued'))
      return 'occupied';
    const nowMs = this.#nowMs();
    const record = { runId, ownerDid, sessionId, requestId, status, createdAt: new Date(nowMs) };
    this.#entries.set(runId, { record, writerId, leaseUntilMs: nowMs + leaseMs, partialText: '' });
    let added: AddMessageResult | undefined;
    try {
      added = await this.#conversations.addMessage(ownerDid, sessionId, message);
    } finally {
      if (added !== 'added') this.#entries.delete(runId);
    }
    if (added === 'added') {
      const { title, roomId, branch } = (await this.#conversations.findSession(ownerDid, sessionId)) ?? {};
      return { title, roomId, branch };
    }
    return added === 'absent' ? 'no_session' : 'request_id_used';
  }

  /** Runs are deleted with their session. */
  async #isKept(ownerDid: string, sessionId: string): Promise<boolean> {
    const isKept = (await this.#conversations.findSession(ownerDid, sessionId)) !== undefined;
    if (!isKept) for (const { record } of this.#ofSession(ownerDid, sessionId)) this.#entries.delete(record.runId);
    return isKept;
  }

  #ofSession(ownerDid: string, sessionId: string): Entry[] {
    return [...this.#entries.values()].filter(
      ({ record }) => record.ownerDid === ownerDid && record.sessionId === sessionId,
    );
  }

  #liveIn(ownerDid: string, sessionId: string): Entry[] {
    return this.#ofSession(ownerDid, sessionId).filter(isLive);
  }

  #held(runId: string, writerId: string): Entry | undefined {
    const entry = this.#entries.get(runId);
    return entry !== undefined && isLive(entry) && entry.writerId === writerId ? entry : undefined;
  }
}

function isLive(entry: Entry): boolean {
  return entry.endedAtMs === undefined;
}
