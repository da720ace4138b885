import type { WaitingApprovals } from '../approvals/waiting-approvals.js';
import type { ChatUsers } from './chat-users.js';
import type { LiveTurns } from './live-turns.js';
import type { IMessage } from './message.js';
import type { MessageHistory } from './message-history.js';
import type { RunRequests } from './run-requests.js';
import type { ShownBranch } from './shown-branch.js';

/** What failed last in a chat. */
export interface ChatErrors {
  /** A message that was not taken. */
  sending?: Error | undefined;
  /** An answer that could not be read, or did not come. */
  reading?: Error | undefined;
}

/** What those have in common who send the messages of one chat and read its answers. */
export interface ChatParts {
  readonly turns: LiveTurns;
  readonly history: MessageHistory;
  readonly approvals: WaitingApprovals;
  readonly branch: ShownBranch;
  readonly runs: RunRequests;
  readonly users: ChatUsers;
  readonly errors: ChatErrors;
  /** As they are shown. */
  readonly messages: () => readonly IMessage[];
  /** Something has changed that nobody should wait for. */
  readonly changed: () => void;
  /** Aborts when nobody shows the chat any more. */
  readonly signal: () => AbortSignal;
  readonly onTurnEnd: () => void;
}
