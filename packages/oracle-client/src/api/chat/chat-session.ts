import { type ApprovalDecision, WaitingApprovals } from '../approvals.js';
import type { OracleCredentials } from '../identity/oracle-credentials.js';
import type { MountedValues } from '../mounted-values.js';
import type { OracleConnection } from '../requests/oracle-connection.js';
import { OracleRequestError } from '../requests/request-error.js';
import { SessionSocket } from '../sockets/session-socket.js';
import { TabCalls } from '../sockets/tab-calls.js';
import type { MountedAction } from '../tools/action.js';
import { AnswerReading } from './answer-reading.js';
import { type ChatErrors, type ChatParts, type ChatSnapshot, emptySnapshot, snapshotOf } from './chat-snapshot.js';
import { type ChatUser, ChatUsers } from './chat-users.js';
import { LiveTurns, ShownBranch } from './live-turns.js';
import { MessageHistory } from './message-history.js';
import { MessageSending } from './message-sending.js';
import { MessageView } from './message-view.js';
import { RunRequests } from './run-requests.js';
import { UnsentMessages } from './unsent-messages.js';

export interface ChatSessionParts {
  readonly connection: OracleConnection;
  readonly credentials: OracleCredentials;
  readonly socketUrl: string;
  readonly sessionId: string;
  readonly userDid: string;
  readonly oracleDid: string;
  readonly actions: Pick<MountedValues<MountedAction>, 'find' | 'list'>;
  /** Whether calls that wait for the user are for this chat to see and settle. */
  readonly mayDecide: boolean;
  /** A turn has changed the session's title or its place among the others. */
  readonly onTurnEnd: () => void;
}

const noSession = 'There is no such conversation, or it is not yours';

/**
 * One chat of one user with one oracle: its messages, its running answer, and its socket. Components that show the same chat
 * share it; it is connected as long as there is one.
 */
export class ChatSession {
  readonly sending: MessageSending;
  readonly #parts: ChatSessionParts;
  readonly #users: ChatUsers;
  readonly #listeners = new Set<() => void>();
  readonly #schedule = new FlushSchedule(
    () => this.#publish(),
    () => this.#users.streamingMode,
  );
  readonly #turns = new LiveTurns(this.#schedule.request);
  readonly #unsent: UnsentMessages;
  readonly #history: MessageHistory;
  readonly #approvals: WaitingApprovals;
  readonly #branch: ShownBranch;
  readonly #view: MessageView;
  readonly #runs: RunRequests;
  readonly #reading: AnswerReading;
  readonly #tabCalls: TabCalls;
  readonly #errors: ChatErrors = {};
  #socket: SessionSocket | undefined;
  #snapshot = emptySnapshot;
  /** Aborted when no component shows the chat any more. */
  #shown: AbortController | undefined;

  constructor(parts: ChatSessionParts) {
    const { connection, sessionId, actions, userDid, oracleDid } = parts;
    this.#parts = parts;
    this.#unsent = new UnsentMessages(`${userDid} ${oracleDid} ${sessionId}`);
    this.#users = new ChatUsers(actions);
    this.#history = new MessageHistory(connection, sessionId, this.#schedule.request);
    this.#approvals = new WaitingApprovals(connection, sessionId, this.#schedule.request, parts.mayDecide);
    this.#branch = new ShownBranch(this.#turns, this.#history);
    this.#view = new MessageView(sessionId);
    this.#runs = new RunRequests(connection, sessionId);
    const shared: ChatParts = {
      turns: this.#turns,
      history: this.#history,
      approvals: this.#approvals,
      branch: this.#branch,
      runs: this.#runs,
      users: this.#users,
      errors: this.#errors,
      messages: () => this.#snapshot.messages,
      changed: this.#schedule.now,
      signal: () => this.#signal(),
      onTurnEnd: parts.onTurnEnd,
    };
    this.#reading = new AnswerReading(shared);
    const socketReady = () => {
      this.#socket?.open();
      return this.#socket?.firstOutcome;
    };
    this.sending = new MessageSending({ ...shared, reading: this.#reading, socketReady });
    this.#tabCalls = new TabCalls({
      sessionId,
      actions,
      toolNamed: (name) => this.#users.toolNamed(name),
      send: (event, data) => this.#socket?.send(event, data),
    });
    for (const turn of this.#unsent.read()) this.#turns.begin(turn);
  }

  readonly snapshot = (): ChatSnapshot => this.#snapshot;

  /** The records of its runs, as far as this page has seen them. */
  readonly records = () => this.#turns.records.list();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Registers a component that shows the chat; the returned function removes it. */
  show(user: ChatUser): () => void {
    this.#users.add(user);
    this.#start();
    return () => {
      this.#users.remove(user);
      // A component that is mounted twice, as in strict mode, is back at once.
      setTimeout(() => this.#stopUnlessShown(), 0);
    };
  }

  get isShown(): boolean {
    return !this.#users.isEmpty;
  }

  async selectBranch(messageId: string): Promise<void> {
    await this.#runs.selectBranch(messageId);
    this.#branch.goOver();
    await this.refetch();
  }

  async refetch(): Promise<void> {
    await this.#history.refresh(this.#signal());
  }

  async settleApproval(toolCallId: string, decision: ApprovalDecision): Promise<void> {
    await this.#approvals.settle(toolCallId, decision, this.#signal());
  }

  async loadEarlier(): Promise<void> {
    await this.#history.loadEarlier(this.#signal());
  }

  #start(): void {
    if (this.#shown !== undefined) return;
    this.#shown = new AbortController();
    this.#look();
    this.#socket = new SessionSocket({
      url: this.#parts.socketUrl,
      sessionId: this.#parts.sessionId,
      credentials: this.#parts.credentials,
      onEvent: (event, data) => {
        this.#tabCalls.take(event, data);
        this.#reading.hear(event, data);
      },
      onConnection: this.#schedule.now,
      onNoSession: () => {
        this.#errors.reading = new OracleRequestError(404, { message: noSession });
        this.#schedule.now();
      },
      onGap: () => this.#look(),
    });
    this.#socket.open();
    this.#schedule.now();
  }

  /** Loads the approvals and the current run of the session. */
  #look(): void {
    void this.refetch();
    void this.#reading.rejoin();
    void this.#approvals.refresh(this.#signal());
  }

  #stopUnlessShown(): void {
    if (this.isShown || this.#shown === undefined) return;
    this.#shown.abort();
    this.#shown = undefined;
    this.#socket?.close();
    this.#socket = undefined;
    this.#reading.leave();
    this.#schedule.now();
  }

  #signal(): AbortSignal {
    return this.#shown?.signal ?? AbortSignal.abort();
  }

  #publish(): void {
    this.#unsent.note(this.#turns.list, (requestId) => this.#history.records.some(({ id }) => id === requestId));
    this.#snapshot = snapshotOf({
      messages: this.#view.show(this.#history.records, this.#turns.list),
      turns: this.#turns,
      history: this.#history,
      approvals: this.#approvals.list,
      errors: this.#errors,
      isConnected: this.#socket?.isConnected === true,
    });
    for (const listener of this.#listeners) listener();
  }
}

/** Interval of updates in a background tab, which draws no frames. */
const backgroundMs = 200;

export type StreamingMode = 'batched' | 'immediate';

/** Notifies listeners at most once per animation frame, or immediately. */
class FlushSchedule {
  readonly #flush: () => void;
  readonly #mode: () => StreamingMode;
  #cancel: (() => void) | undefined;

  constructor(flush: () => void, mode: () => StreamingMode) {
    this.#flush = flush;
    this.#mode = mode;
  }

  /** Something has changed. */
  readonly request = (): void => {
    if (this.#mode() === 'immediate') this.now();
    else this.#cancel ??= onNextFrame(() => this.now());
  };

  /** Notifies listeners immediately. */
  readonly now = (): void => {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#flush();
  };
}

function onNextFrame(then: () => void): () => void {
  const hasFrames = typeof requestAnimationFrame === 'function';
  const frame = hasFrames ? requestAnimationFrame(() => then()) : undefined;
  const timer = setTimeout(then, hasFrames ? backgroundMs : 0);
  return () => {
    clearTimeout(timer);
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}
