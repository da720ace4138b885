import type { LanguageModel } from '../../models/language-model.js';
import type { RunRegister } from '../../runs/run-register.js';
import type { RunStore } from '../../runs/run-store.js';
import type { StopSignals } from '../../runs/stop-signals.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import type { UsageMeter } from '../after/turn-usage.js';
import type { TurnPlugins } from '../context/turn-plugins.js';
import type { FrontendCalls } from '../loop/frontend-calls.js';
import type { TurnOutcome } from './turn.js';
import type { TurnEvents } from './turn-event.js';

/** What the turns of a process stand on. */
export interface TurnsParts {
  readonly conversations: ConversationStore;
  readonly runs: RunStore;
  readonly register: RunRegister;
  readonly signals: StopSignals;
  /** Who else is told what happens in a turn, beside the log of its run. */
  readonly listeners: readonly TurnEvents[];
  readonly frontend: FrontendCalls;
  readonly plugins: TurnPlugins;
  /** Writes titles and summaries. */
  readonly small: LanguageModel;
  /** Told of what each turn used. */
  readonly meters: readonly UsageMeter[];
  readonly oracleName: string;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: { error(fields: object, text: string): void };
  /** Called once for each turn, with how it ended. */
  readonly onTurnEnd: (status: TurnOutcome['status']) => void;
  readonly limits: TurnLimits;
}

export interface TurnLimits {
  /** Turns of this process at one time, those that wait included. */
  readonly activeTurns: number;
  /** Longest time for one turn, in ms. */
  readonly turnTimeoutMs: number;
  /** What a message does to the turn that still runs in its session. */
  readonly onConflict: 'interrupt' | 'enqueue';
  /** A process that has not renewed the leases of its runs for so long is taken for dead. */
  readonly leaseMs: number;
  readonly renewMs: number;
  /** How often a turn that waits for another looks whether that has ended. */
  readonly waitMs: number;
  /** How long what is known of a run that has ended is kept. */
  readonly retentionMs: number;
}
