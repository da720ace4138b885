import type { IApproval } from '../approvals/approval.js';
import type { ChatStatus, IMessage } from './message.js';

/** What answers a message, or has answered it last. */
export interface IRun {
  readonly runId: string;
  readonly requestId: string;
  /** `queued`, `running`, `recovering`, `waiting` for its user, `finished`, `aborted`, `interrupted` or `failed`. */
  readonly status: string;
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
  readonly isAnsweringElsewhere: boolean;
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
  isAnsweringElsewhere: false,
  isRealTimeConnected: false,
  run: undefined,
};
