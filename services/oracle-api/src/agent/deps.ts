import type { LanguageModel } from '../models/language-model.js';
import type { ModelCatalog } from '../models/model-catalog.js';
import type { RunLogStore } from '../runs/log/store.js';
import type { MeteredTurn, UsageMeter } from '../runs/payment.js';
import type { Lease, QueueLimits, RunRepository } from '../runs/run-repository.js';
import type { RunSignals } from '../runs/signals.js';
import type { UsageOutbox } from '../runs/usage-outbox.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { SummaryStore } from '../store/summaries.js';
import type { TurnMemory } from '../store/turn-memory.js';

import type { RetryingGate } from './admission.js';
import type { Approvals } from './loop/sql-approvals.js';
import type { CallRecords } from './loop/sql-call-records.js';
import type { SuspendedRuns } from './loop/suspended-runs.js';
import type { TurnPlugins } from './prompt/turn-plugins.js';
import type { TurnTelemetry } from './telemetry.js';
import type { TurnOutcome } from './turn.js';
import type { TurnListener } from './turn-events.js';

/** Dependencies of the turns of a process. */
export interface TurnsDeps {
  readonly conversations: ConversationStore;
  readonly summaries: SummaryStore;
  readonly memory: TurnMemory;
  readonly runs: RunLogStore;
  readonly runRepository: RunRepository;
  /** Tool calls, recorded before they are executed. */
  readonly calls: CallRecords;
  /** Runs suspended for approval. */
  readonly suspended: Pick<SuspendedRuns, 'suspend' | 'find' | 'listDue' | 'resume'>;
  readonly approvals: Pick<Approvals, 'withdraw' | 'expire'>;
  readonly models: Pick<ModelCatalog, 'find'>;
  readonly signals: RunSignals;
  readonly listeners: readonly TurnListener[];
  readonly plugins: TurnPlugins;
  /** Writes titles and summaries. */
  readonly small: LanguageModel;
  /** Receive the usage of each turn. */
  readonly meters: readonly UsageMeter[];
  /** Usage that a meter has not acknowledged yet. */
  readonly usageOutbox: UsageOutbox;
  /** Releases the payment hold of each ended run. */
  readonly gate: Partial<Pick<RetryingGate, 'release' | 'retryReleases'>>;
  /** Deletes a batch of turns past `MESSAGE_RETENTION_DAYS`; true while more may be due. */
  readonly forgetOld?: () => Promise<boolean>;
  readonly oracleName: string;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Spans and metrics. */
  readonly telemetry: TurnTelemetry;
  readonly log: { error(fields: object, text: string): void };
  /** Called once for each turn, with its status and usage. */
  readonly onTurnEnd: (status: TurnOutcome['status'], took?: MeteredTurn) => void;
  /** From `turnLimits`, `processLimits` and the settings. */
  readonly limits: {
    readonly activeTurns: number;
    /** Timeout of a turn once it runs (`TURN_TIMEOUT_SECONDS`). */
    readonly turnTimeoutMs: number;
    /** Model steps with tools; after them a step without tools answers (`TURN_STEPS`). */
    readonly steps: number;
    /** Maximum number of identical calls, unless the tool sets its own (`TURN_SAME_CALLS`). */
    readonly sameCalls: number;
    readonly leaseMs: number;
    readonly renewMs: number;
    readonly waitMs: number;
    /** Effect of a message on a running turn of its session (`RUN_CONFLICT`). */
    readonly onConflict: 'interrupt' | 'enqueue';
    /** Maximum number of queued messages (`RUN_QUEUE_PER_SESSION`, `RUN_QUEUE_PER_USER`). */
    readonly queue: QueueLimits;
    /** Retention of ended runs (`RUN_RETENTION_HOURS`). */
    readonly retentionMs: number;
    /** Timeout of an approval (`APPROVAL_TTL_HOURS`). */
    readonly approvalMs: number;
  };
}

/** Dependencies of one turn. */
export interface TurnDeps extends TurnsDeps {
  /** The lease of this process on its runs. */
  readonly lease: Lease;
}
