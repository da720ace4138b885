import type { RunStatus } from '@mlango/schemas/oracle-events';

/** How a run ends. */
export type EndStatus = Extract<RunStatus, 'finished' | 'aborted' | 'interrupted' | 'failed'>;

/** Transitions of the status of a run. `suspended` is stored and sent as `waiting`. */
export type RunTransition = 'claim' | 'enqueue' | 'advance' | 'suspend' | 'resume' | 'takeOver' | 'end';

interface Transition {
  /** Source statuses; none for a new run. */
  readonly from: readonly RunStatus[];
  /** Target statuses. */
  readonly to: readonly [RunStatus, ...RunStatus[]];
  /** Stored in the same statement or transaction. */
  readonly stores: string;
  readonly releases: string;
  readonly publishes: string;
}

const ends: readonly [EndStatus, ...EndStatus[]] = ['finished', 'aborted', 'interrupted', 'failed'];

/**
 * The state machine of a run: every statement that changes `runs.status` takes its source and target statuses from this table.
 * `ARCHITECTURE.md` shows the same table; `run.test.ts` keeps them equal and explores the interleavings.
 */
export const runTransitions: Readonly<Record<RunTransition, Transition>> = {
  claim: {
    from: [],
    to: ['running'],
    stores: 'run, message, lease',
    releases: 'nothing',
    publishes: '`run_status` running',
  },
  enqueue: {
    from: [],
    to: ['queued'],
    stores: 'run, message, lease',
    releases: 'nothing',
    publishes: '`run_status` queued',
  },
  advance: {
    from: ['queued'],
    to: ['running'],
    stores: 'status',
    releases: 'nothing',
    publishes: '`run_status` running',
  },
  suspend: {
    from: ['running'],
    to: ['waiting'],
    stores: 'suspended state, unreported usage',
    releases: 'lease, session',
    publishes: '`approval_request`, `done` waiting',
  },
  resume: {
    from: ['waiting'],
    to: ['running'],
    stores: 'lease of the new writer',
    releases: 'stop request',
    publishes: '`run_status` running',
  },
  takeOver: {
    from: ['queued', 'running', 'recovering'],
    to: ['queued', 'recovering'],
    stores: 'lease of the new writer',
    releases: 'lease of the old writer',
    publishes: 'nothing',
  },
  end: {
    from: ['queued', 'running', 'recovering'],
    to: ends,
    stores: 'answer, usage',
    releases: 'lease, session, payment hold',
    publishes: '`done`',
  },
};

/** Statuses that a transition leaves, for the condition of its statement. */
export function sourcesOf(transition: RunTransition): RunStatus[] {
  return [...runTransitions[transition].from];
}

/** The status that a transition with one target sets. */
export function targetOf(transition: Exclude<RunTransition, 'takeOver' | 'end'>): RunStatus {
  return runTransitions[transition].to[0];
}

/** The status after a takeover: a run that never ran stays queued, because one run of a session recovers at a time. */
export function takenOver(status: RunStatus): RunStatus {
  return status === 'queued' ? 'queued' : 'recovering';
}

/** Whether a run has not ended and is not suspended: a process holds it, or takes it over. */
export function isLive(status: RunStatus): boolean {
  return runTransitions.takeOver.from.includes(status);
}
