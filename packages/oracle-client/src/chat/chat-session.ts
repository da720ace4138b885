import type { MountedAction } from '../actions/action.js';
import type { ApprovalDecision } from '../approvals/approval.js';
import { WaitingApprovals } from '../approvals/waiting-approvals.js';
import type { MountedValues } from '../provider/mounted-values.js';
import type { OracleCredentials } from '../provider/oracle-credentials.js';
import { SessionSocket } from '../realtime/session-socket.js';
import { TabCalls } from '../realtime/tab-calls.js';
import { errorOf } from '../requests/error-of.js';
import { newId } from '../requests/new-id.js';
import type { OracleConnection } from '../requests/oracle-connection.js';
import { isPaymentRequired, isUnreached } from '../requests/request-error.js';
import type { RunSource } from '../streams/follow-run.js';
import { type AnnouncedRun, announcedRun } from './announced-run.js';
import { type Branching, branching, branchPoint } from './branch-point.js';
import type { Sending } from './chat-options.js';
import { type ChatSnapshot, emptySnapshot, snapshotOf } from './chat-snapshot.js';
import { type ChatUser, ChatUsers } from './chat-users.js';
import { deliverMessage } from './deliver-message.js';
import { FlushSchedule } from './flush-schedule.js';
import { isFollowed, sentTurn } from './live-turn.js';
import { LiveTurns } from './live-turns.js';
import { MessageHistory } from './message-history.js';
import { MessageView } from './message-view.js';
import { readTurn } from './read-turn.js';
import { isLive, RunRequests } from './run-requests.js';
import { ShownBranch } from './shown-branch.js';

export interface ChatSessionParts {
  readonly connection: OracleConnection;
  readonly credentials: OracleCredentials;
  readonly socketUrl: string;
  readonly sessionId: string;
  readonly actions: Pick<MountedValues<MountedAction>, 'find' | 'list'>;
  /** A turn has changed the session's title or its place among the others. */
  readonly onTurnEnd: () => void;
}

/**
 * One chat of one user with one oracle: its messages, what comes just now, and its socket. Components that show the same
 * chat share it; it is connected as long as there is one.
 */
export class ChatSession {
  readonly #parts: ChatSessionParts;
  readonly #users: ChatUsers;
  readonly #listeners = new Set<() => void>();
  readonly #schedule = new FlushSchedule(
    () => this.#publish(),
    () => this.#users.streamingMode,
  );
  readonly #turns = new LiveTurns(this.#schedule.request);
  readonly #history: MessageHistory;
  readonly #approvals: WaitingApprovals;
  readonly #branch: ShownBranch;
  readonly #view: MessageView;
  readonly #runs: RunRequests;
  readonly #tabCalls: TabCalls;
  #socket: SessionSocket | undefined;
  #snapshot = emptySnapshot;
  #sendError: Error | undefined;
  #readError: Error | undefined;
  /** Aborted when nobody shows the chat any more. */
  #shown: AbortController | undefined;
  #rejoining: Promise<void> | undefined;
  readonly #toAbort = new Set<string>();

  constructor(parts: ChatSessionParts) {
    const { connection, sessionId, actions } = parts;
    this.#parts = parts;
    this.#users = new ChatUsers(actions);
    this.#history = new MessageHistory(connection, sessionId, this.#schedule.request);
    this.#approvals = new WaitingApprovals(connection, sessionId, this.#schedule.request);
    this.#branch = new ShownBranch(this.#turns, this.#history);
    this.#view = new MessageView(sessionId);
    this.#runs = new RunRequests(connection, sessionId);
    this.#tabCalls = new TabCalls({
      sessionId,
      actions,
      toolNamed: (name) => this.#users.toolNamed(name),
      send: (event, data) => this.#socket?.send(event, data),
    });
  }

  readonly snapshot = (): ChatSnapshot => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Shows the chat to one more component, until what is returned is called. */
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

  /** Sends a message. What becomes of it is in the snapshot. */
  async send(message: string, { options, onPaymentRequired }: Sending, branch?: Branching): Promise<void> {
    if (branch !== undefined) this.#branch.leave(branch.hidden);
    const requestId = newId();
    this.#sendError = undefined;
    this.#readError = undefined;
    this.#turns.begin(sentTurn(requestId, message, options, this.#history.records.at(-1)?.id));
    this.#schedule.now();
    this.#socket?.open();
    try {
      if (this.#users.needSocket) await this.#socket?.firstOutcome;
      const body = { ...options, ...branch?.instead, message, requestId, ...(await this.#users.declared()) };
      const source = await deliverMessage(this.#runs, body, this.#signal());
      if (source.requestId !== requestId) this.#turns.rename(requestId, source.requestId);
      await this.#read(source.requestId, source);
      if (branch !== undefined) this.#branch.arrived();
    } catch (error) {
      if (branch !== undefined) this.#branch.comeBack(branch.hidden);
      this.#turns.update(requestId, { phase: 'unsent' });
      if (!isPaymentRequired(error)) this.#sendError = errorOf(error);
      this.#schedule.now();
      // It may have arrived though nobody could say so.
      if (isUnreached(error)) void this.refetch();
      if (isPaymentRequired(error)) onPaymentRequired([...error.claims]);
    }
  }

  /** Says a message in other words, or without any has it answered once more. Throws where there is no such message. */
  branch(messageId: string, text: string | undefined, { options, onPaymentRequired }: Sending): Promise<void> {
    const branch = branching(this.#snapshot.messages, messageId, text);
    return this.send(branch.text, { options: { ...options, ...branch.along }, onPaymentRequired }, branch);
  }

  async selectBranch(messageId: string): Promise<void> {
    await this.#runs.selectBranch(messageId);
    this.#branch.goOver();
    await this.refetch();
  }

  /** Stops what answers now; what was said so far is kept. */
  async abort(): Promise<void> {
    for (const { requestId, phase } of this.#turns.list) if (phase === 'sending') this.#toAbort.add(requestId);
    await this.#runs.abort();
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
      onEvent: (event, data) => this.#hear(event, data),
      onConnection: this.#schedule.now,
      onGap: () => this.#look(),
    });
    this.#socket.open();
    this.#schedule.now();
  }

  /** Finds out what the session has, and what goes on in it. */
  #look(): void {
    void this.refetch();
    void this.#rejoin();
    void this.#approvals.refresh(this.#signal());
  }

  #stopUnlessShown(): void {
    if (this.isShown || this.#shown === undefined) return;
    this.#shown.abort();
    this.#shown = undefined;
    this.#rejoining = undefined;
    this.#socket?.close();
    this.#socket = undefined;
    this.#turns.leave();
    this.#schedule.now();
  }

  #signal(): AbortSignal {
    return this.#shown?.signal ?? AbortSignal.abort();
  }

  /** Reads an answer to its end, and then what was kept of it. Rejects never. */
  async #read(known: string, source: RunSource & { readonly status?: string }): Promise<void> {
    const signal = this.#signal();
    let requestId = known;
    if (signal.aborted) {
      await source.first?.body?.cancel().catch(() => undefined);
      this.#turns.update(requestId, { phase: 'heard' });
      this.#turns.leave();
      return;
    }
    const { runId, status = 'running' } = source;
    this.#turns.update(requestId, { phase: 'reading', ...(runId === undefined ? {} : { run: { runId, status } }) });
    if (this.#toAbort.delete(requestId)) void this.#runs.abort().catch(() => undefined);
    try {
      requestId = await readTurn(this.#turns, this.#runs, requestId, source, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#readError = errorOf(error);
    }
    const { draft, run } = this.#turns.find(requestId) ?? {};
    if (draft?.failure !== undefined) this.#readError = new Error(draft.failure.detail);
    this.#turns.update(requestId, {
      phase: 'over',
      ...(draft === undefined || draft.isOver ? {} : { draft: { ...draft, isReasoning: false, isOver: true } }),
      // Nobody has said how it ended.
      ...(run?.status === 'running' ? { run: { ...run, status: 'interrupted' } } : {}),
    });
    if (run?.status === 'waiting') void this.#approvals.refresh(signal);
    await this.refetch();
    this.#parts.onTurnEnd();
  }

  /** Goes on reading what answers in the session, if this page does not read it yet. */
  #rejoin(): Promise<void> {
    this.#rejoining ??= this.#join().finally(() => {
      this.#rejoining = undefined;
    });
    return this.#rejoining;
  }

  async #join(): Promise<void> {
    const signal = this.#signal();
    const run = await this.#runs.latest(signal).catch(() => undefined);
    if (!run || !isLive(run) || signal.aborted) return;
    const { requestId, runId } = run;
    const known = this.#turns.find(requestId);
    if (known === undefined) this.#turns.begin({ requestId, phase: 'reading' });
    else if (isFollowed(known)) return;
    void this.#read(requestId, { runId, status: run.status });
  }

  #hear(event: string, data: Readonly<Record<string, unknown>>): void {
    this.#tabCalls.take(event, data);
    const { requestId } = data;
    if (event === 'message_cache_invalidation') this.#invalidate(requestId);
    const mayHaveChanged = event === 'message_cache_invalidation' || event === 'run_status';
    if (event === 'approval_request' || (mayHaveChanged && this.#approvals.list.length > 0)) {
      void this.#approvals.refresh(this.#signal());
    }
    if (event === 'run_status') this.#follow(announcedRun(data));
    if ((event !== 'tool_call' && event !== 'render_component') || typeof requestId !== 'string') return;
    if (this.#turns.hear(requestId, event, data)) void this.#rejoin();
  }

  /** Shows a message that was sent elsewhere, and reads its answer from when there is one. */
  #follow(announced: AnnouncedRun | undefined): void {
    if (announced === undefined) return;
    const { requestId, runId, instead } = announced;
    if (instead !== undefined && this.#turns.find(requestId) === undefined) {
      this.#branch.leave(branchPoint(this.#snapshot.messages, instead)?.hidden);
    }
    if (this.#turns.announce(announced, this.#history.records.at(-1)?.id)) {
      void this.#read(requestId, { runId }).then(() => this.#branch.arrived());
    }
  }

  #invalidate(requestId: unknown): void {
    if (requestId === '') this.#branch.goOver();
    // The answer is read to its end first, and then the history.
    if (this.#turns.isReadAfterEnd(requestId) || this.#history.records.some(({ id }) => id === requestId)) return;
    void this.refetch();
    this.#parts.onTurnEnd();
  }

  #publish(): void {
    this.#snapshot = snapshotOf({
      messages: this.#view.show(this.#history.records, this.#turns.list),
      turns: this.#turns,
      history: this.#history,
      approvals: this.#approvals.list,
      sendError: this.#sendError,
      readError: this.#readError,
      isConnected: this.#socket?.isConnected === true,
    });
    for (const listener of this.#listeners) listener();
  }
}
