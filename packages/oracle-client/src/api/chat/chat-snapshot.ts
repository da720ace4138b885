import type { IApproval, WaitingApprovals } from '../approvals.js';
import type { IRunUsage } from '../streams/run-event.js';
import type { ChatUsers } from './chat-users.js';
import type { LiveTurns, ShownBranch } from './live-turns.js';
import type { ChatStatus, IMessage } from './message.js';
import type { MessageHistory } from './message-history.js';
import type { RunRequests } from './run-requests.js';

/** The last failures of a chat. */
export interface ChatErrors {
  /** A message that was not taken. */
  sending?: Error | undefined;
  /** An answer that could not be read, or did not arrive. */
  reading?: Error | undefined;
}

/** The parts of one chat that sending and reading share. */
export interface ChatParts {
  readonly turns: LiveTurns;
  readonly history: MessageHistory;
  readonly approvals: WaitingApprovals;
  readonly branch: ShownBranch;
  readonly runs: RunRequests;
  readonly users: ChatUsers;
  readonly errors: ChatErrors;
  /** The messages as rendered. */
  readonly messages: () => readonly IMessage[];
  /** Notifies listeners immediately. */
  readonly changed: () => void;
  /** Aborts when no component shows the chat any more. */
  readonly signal: () => AbortSignal;
  readonly onTurnEnd: () => void;
}

/** The current or last answering run. */
export interface IRun {
  readonly runId: string;
  readonly requestId: string;
  /** `queued`, `running`, `recovering`, `waiting` for its user, `finished`, `aborted`, `interrupted` or `failed`. */
  readonly status: string;
  /** Set when the run is over, if the oracle reports it. */
  readonly usage?: IRunUsage;
}

/** A chat at one moment. */
export interface ChatSnapshot {
  readonly messages: readonly IMessage[];
  readonly status: ChatStatus;
  readonly error: Error | undefined;
  readonly sendMessageError: Error | undefined;
  readonly isLoading: boolean;
  readonly hasEarlier: boolean;
  readonly approvals: readonly IApproval[];
  readonly isAnsweringOtherTab: boolean;
  readonly isRealTimeConnected: boolean;
  readonly run: IRun | undefined;
}

export const emptySnapshot: ChatSnapshot = {
  messages: [],
  status: 'ready',
  error: undefined,
  sendMessageError: undefined,
  isLoading: true,
  hasEarlier: false,
  approvals: [],
  isAnsweringOtherTab: false,
  isRealTimeConnected: false,
  run: undefined,
};

interface ChatState {
  readonly messages: readonly IMessage[];
  readonly turns: Pick<LiveTurns, 'latest' | 'status' | 'isOfOtherTab'>;
  readonly history: Pick<MessageHistory, 'error' | 'isLoading' | 'hasEarlier'>;
  readonly approvals: readonly IApproval[];
  readonly errors: ChatErrors;
  readonly isConnected: boolean;
}

/** Snapshot of a chat. */
export function snapshotOf({ messages, turns, history, approvals, errors, isConnected }: ChatState): ChatSnapshot {
  const { latest, status } = turns;
  return {
    messages,
    status: status === 'ready' && errors.sending !== undefined ? 'error' : status,
    error: errors.sending ?? errors.reading ?? history.error,
    sendMessageError: errors.sending,
    isLoading: history.isLoading,
    hasEarlier: history.hasEarlier,
    approvals,
    isAnsweringOtherTab: turns.isOfOtherTab,
    isRealTimeConnected: isConnected,
    run: latest?.run && { ...latest.run, requestId: latest.requestId },
  };
}
