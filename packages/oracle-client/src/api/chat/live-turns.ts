import { type RunEvent, runEventOf } from '../streams/run-event.js';
import { emptyDraft, growDraft } from './answer.js';
import { type AnnouncedRun, isFollowed, isUnderWay, type LiveTurn } from './live-turn.js';
import type { ChatStatus } from './message.js';
import type { MessageHistory } from './message-history.js';
import { RunRecords } from './run-records.js';

/** The number of turns stored for the order in which their answers arrived. */
const turnLimit = 50;

/** The turns that this page has seen happen in one session, in the order in which they began. */
export class LiveTurns {
  /** The records of their runs. */
  readonly records = new RunRecords();
  #turns: readonly LiveTurn[] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Another list after each change. */
  get list(): readonly LiveTurn[] {
    return this.#turns;
  }

  get latest(): LiveTurn | undefined {
    return this.#turns.at(-1);
  }

  get status(): ChatStatus {
    const underWay = this.#turns.filter(isUnderWay);
    if (underWay.length === 0) return 'ready';
    return underWay.some(({ phase }) => phase === 'reading') ? 'streaming' : 'submitted';
  }

  /** The running answer belongs to another tab or device. */
  get isOfOtherTab(): boolean {
    return this.#turns.some((turn) => isUnderWay(turn) && turn.isOfOtherTab === true);
  }

  find(requestId: string): LiveTurn | undefined {
    return this.#turns.find((turn) => turn.requestId === requestId);
  }

  /** The turn of an unsent message. */
  findUnsent(messageId: string): LiveTurn | undefined {
    return this.#turns.find(({ phase, sent }) => phase === 'unsent' && sent?.id === messageId);
  }

  /** Marks the message of a turn as being sent again. */
  sendAgain(requestId: string, after: string | undefined): void {
    const turn = this.find(requestId);
    if (turn !== undefined) this.begin({ ...turn, phase: 'sending', ...(after === undefined ? {} : { after }) });
  }

  forget(requestId: string): void {
    this.#set(this.#turns.filter((turn) => turn.requestId !== requestId));
  }

  /** Starts a turn; replaces an announced one. */
  begin(turn: Omit<LiveTurn, 'draft'>): void {
    const known = this.find(turn.requestId);
    const isNews = turn.phase === 'sending' || (known === undefined && turn.phase !== 'unsent');
    if (isNews) this.records.begin(turn.requestId, turn.sent?.text);
    const draft = known?.draft ?? emptyDraft;
    const others = this.#turns.filter(({ requestId }) => requestId !== turn.requestId);
    const room = others.length < turnLimit ? others : withoutOldest(others);
    this.#set([...room, { ...turn, draft }]);
  }

  /** Applies a run announcement. True when the run is active and not read by this page. */
  announce({ requestId, runId, status, sent }: AnnouncedRun, after: string | undefined): boolean {
    const known = this.find(requestId);
    const run = { runId, status };
    if (known === undefined || known.phase === 'announced') {
      const place = after === undefined ? {} : { after };
      this.begin({ requestId, phase: 'announced', sent, isOfOtherTab: true, run, ...place });
      return status === 'running';
    }
    if (isFollowed(known) && !isUnderWay(known)) return false;
    this.update(requestId, { run });
    return !isUnderWay(known);
  }

  /** The oracle has assigned an id to an answer; announced events move to this turn. */
  rename(requestId: string, assignedId: string): void {
    this.records.rename(requestId, assignedId);
    const draft = this.find(assignedId)?.draft;
    const others = this.#turns.filter((turn) => turn.requestId !== assignedId);
    const isIt = (turn: LiveTurn) => turn.requestId === requestId;
    const change = { requestId: assignedId, ...(draft === undefined ? {} : { draft }) };
    this.#set(others.map((turn) => (isIt(turn) ? { ...turn, ...change } : turn)));
  }

  update(requestId: string, change: Partial<LiveTurn>): void {
    this.#set(this.#turns.map((turn) => (turn.requestId === requestId ? { ...turn, ...change } : turn)));
  }

  /** Shows turns only if the oracle lists them, or always: the turns with these ids, or all. */
  setAside(isAside: boolean, ids?: ReadonlySet<string>): void {
    const isMeant = ({ requestId, sent }: LiveTurn) =>
      ids === undefined || ids.has(requestId) || ids.has(sent?.id ?? '');
    this.#set(this.#turns.map((turn) => (isMeant(turn) ? { ...turn, isAside } : turn)));
  }

  /** Applies an event to an answer; creates the turn if it is unknown. */
  take(requestId: string, event: RunEvent, isInOrder = true): void {
    if (this.find(requestId) === undefined) this.begin({ requestId, phase: 'announced' });
    this.records.take(requestId, event);
    const draft = growDraft(this.find(requestId)?.draft ?? emptyDraft, event, isInOrder);
    if (draft !== this.find(requestId)?.draft) this.update(requestId, { draft });
  }

  /** Applies a socket event to an answer. True for an unknown run that is not a pending one. */
  hear(requestId: string, event: string, data: Readonly<Record<string, unknown>>): boolean {
    const phase = this.find(requestId)?.phase;
    // The stream reports calls itself, with their position in the text.
    if (event === 'tool_call' && phase !== undefined && phase !== 'announced') return false;
    const runEvent = runEventOf(event, data);
    if (runEvent !== undefined) this.take(requestId, runEvent, false);
    return phase === undefined && !this.#turns.some((turn) => turn.phase === 'sending');
  }

  /** A run has ended: whether this page reads it, to its end. A run stopped while queued leaves the queue. */
  isReadAfterEnd(requestId: unknown): boolean {
    const turn = this.#turns.find((each) => each.requestId === requestId);
    if (turn?.phase === 'announced' && turn.run?.status === 'queued') {
      this.update(turn.requestId, { phase: 'over', run: undefined });
    }
    return turn?.phase === 'reading';
  }

  /** Clears the text of unfinished turns, so that the next reader starts over. */
  leave(): void {
    this.#set(this.#turns.filter(({ phase }) => ['over', 'sending', 'unsent'].includes(phase)));
  }

  #set(turns: readonly LiveTurn[]): void {
    this.#turns = turns;
    this.#onChange();
  }
}

function withoutOldest(turns: readonly LiveTurn[]): LiveTurn[] {
  const oldest = turns.findIndex((turn) => !isUnderWay(turn));
  return turns.filter((_, index) => index !== Math.max(0, oldest));
}

/** The branch of a conversation that a page shows, while the oracle may still list another one. */
export class ShownBranch {
  readonly #turns: Pick<LiveTurns, 'setAside'>;
  readonly #history: Pick<MessageHistory, 'records' | 'hideFrom'>;

  constructor(turns: Pick<LiveTurns, 'setAside'>, history: Pick<MessageHistory, 'records' | 'hideFrom'>) {
    this.#turns = turns;
    this.#history = history;
  }

  /** Hides the messages that are on another branch from now on. */
  leave(hidden: ReadonlySet<string> = new Set()): void {
    this.#turns.setAside(true, hidden);
    this.#history.hideFrom(this.#history.records.find(({ id }) => hidden.has(id))?.id);
  }

  /** There is no other branch. */
  comeBack(hidden: ReadonlySet<string> = new Set()): void {
    this.#turns.setAside(false, hidden);
    this.arrived();
  }

  /** The oracle lists the branch that is shown. */
  arrived(): void {
    this.#history.hideFrom(undefined);
  }

  /** Call after a branch was selected: only listed messages are shown. */
  goOver(): void {
    this.#turns.setAside(true);
    this.arrived();
  }
}
