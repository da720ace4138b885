import { isNotFound } from '../requests/request-error.js';
import { isPassing, pauseBefore } from '../requests/retry.js';
import { errorOf } from '../requests/values.js';
import { followRun, type RunSource } from '../streams/follow-run.js';
import type { RunEvent } from '../streams/run-event.js';
import type { ChatParts } from './chat-snapshot.js';
import { type AnnouncedRun, announcedRun, branchPoint, isFollowed } from './live-turn.js';
import type { LiveTurns } from './live-turns.js';
import { isLive, type RunRequests } from './run-requests.js';

/** Reads the answers of one chat from streams and socket events. */
export class AnswerReading {
  readonly #parts: ChatParts;
  #rejoining: Promise<void> | undefined;
  readonly #toAbort = new Set<string>();

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  /** Stops an answer as soon as there is one. */
  abortOnceRead(requestId: string): void {
    this.#toAbort.add(requestId);
  }

  /** Reads an answer to its end, then the stored message. Never rejects. */
  async read(known: string, source: RunSource & { readonly status?: string }): Promise<void> {
    const { turns, runs, history, approvals, errors, onTurnEnd } = this.#parts;
    const signal = this.#parts.signal();
    let requestId = known;
    if (signal.aborted) {
      await source.first?.body?.cancel().catch(() => undefined);
      turns.update(requestId, { phase: 'announced' });
      turns.leave();
      return;
    }
    const { runId, status = 'running' } = source;
    turns.update(requestId, { phase: 'reading', ...(runId === undefined ? {} : { run: { runId, status } }) });
    if (this.#toAbort.delete(requestId)) void runs.abort().catch(() => undefined);
    try {
      requestId = await readTurn(turns, runs, requestId, source, signal);
    } catch (error) {
      if (signal.aborted) return;
      errors.reading = errorOf(error);
    }
    const { draft, run } = turns.find(requestId) ?? {};
    if (draft?.failure !== undefined) errors.reading = new Error(draft.failure.detail);
    turns.update(requestId, {
      phase: 'over',
      ...(draft === undefined || draft.isOver ? {} : { draft: { ...draft, isReasoning: false, isOver: true } }),
      // The outcome is unknown.
      ...(run?.status === 'running' ? { run: { ...run, status: 'interrupted' } } : {}),
    });
    if (run?.status === 'waiting') void approvals.refresh(signal);
    await history.refresh(signal);
    onTurnEnd();
  }

  /** Reads the running answer of the session, if this page does not read it yet. */
  rejoin(): Promise<void> {
    this.#rejoining ??= this.#join().finally(() => {
      this.#rejoining = undefined;
    });
    return this.#rejoining;
  }

  /** Called when no component shows the chat any more; the next one starts over. */
  leave(): void {
    this.#rejoining = undefined;
    this.#parts.turns.leave();
  }

  hear(event: string, data: Readonly<Record<string, unknown>>): void {
    const { turns, approvals, signal } = this.#parts;
    const { requestId } = data;
    if (event === 'message_cache_invalidation') this.#invalidate(requestId);
    const mayHaveChanged = event === 'message_cache_invalidation' || event === 'run_status';
    if (event === 'approval_request' || (mayHaveChanged && approvals.list.length > 0)) {
      void approvals.refresh(signal());
    }
    if (event === 'run_status') this.#follow(announcedRun(data));
    if ((event !== 'tool_call' && event !== 'render_component') || typeof requestId !== 'string') return;
    if (turns.hear(requestId, event, data)) void this.rejoin();
  }

  async #join(): Promise<void> {
    const { turns, runs } = this.#parts;
    const signal = this.#parts.signal();
    const run = await runs.latest(signal).catch(() => undefined);
    if (!run || !isLive(run) || signal.aborted) return;
    const { requestId, runId } = run;
    const known = turns.find(requestId);
    if (known === undefined) turns.begin({ requestId, phase: 'reading' });
    else if (isFollowed(known)) return;
    void this.read(requestId, { runId, status: run.status });
  }

  /** Shows a message of another tab and reads its answer once it starts. */
  #follow(announced: AnnouncedRun | undefined): void {
    if (announced === undefined) return;
    const { turns, history, branch, messages } = this.#parts;
    const { requestId, runId, instead } = announced;
    if (instead !== undefined && turns.find(requestId) === undefined) {
      branch.leave(branchPoint(messages(), instead)?.hidden);
    }
    if (turns.announce(announced, history.records.at(-1)?.id)) {
      void this.read(requestId, { runId }).then(() => branch.arrived());
    }
  }

  #invalidate(requestId: unknown): void {
    const { turns, history, branch, signal, onTurnEnd } = this.#parts;
    if (requestId === '') branch.goOver();
    // The answer is read to its end first, and then the history.
    if (turns.isReadAfterEnd(requestId) || history.records.some(({ id }) => id === requestId)) return;
    void history.refresh(signal());
    onTurnEnd();
  }
}

/** Attempts in a row without a new event after which reading a run stops: about nine minutes. */
const attemptLimit = 60;
/** Three heartbeats of the protocol. */
const silenceMs = 45_000;

/**
 * Reads the answer of a turn to its end, over as many connections as it takes, and returns its request id. Ends early without an
 * error when the run is no longer known; the stored part of the answer is in the history then. Rejects when the request is
 * refused, or with the signal's reason.
 */
async function readTurn(
  turns: LiveTurns,
  runs: Pick<RunRequests, 'open'>,
  requestId: string,
  source: RunSource,
  signal: AbortSignal,
): Promise<string> {
  const parts = {
    open: (runId: string, after: number) => runs.open(runId, after, signal),
    isPassing,
    pause: async (attempt: number) => {
      if (attempt > attemptLimit) throw new Error('The oracle cannot be reached');
      await pauseBefore(attempt, signal);
    },
    silenceMs,
    signal,
  };
  let id = requestId;
  // The events before a run was suspended are repeated with the rest.
  let isRestart = turns.find(id)?.draft.isOver === true;
  try {
    for await (const events of followRun(source, parts)) {
      signal.throwIfAborted();
      if (isRestart) turns.take(id, { kind: 'restart' });
      isRestart = false;
      for (const event of events) id = takeEvent(turns, id, event);
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return id;
}

/** Returns the request id of the answer; the run may report it first. */
function takeEvent(turns: LiveTurns, known: string, event: RunEvent): string {
  const requestId = event.kind === 'run' ? (event.requestId ?? known) : known;
  if (requestId !== known) turns.rename(known, requestId);
  const { run } = turns.find(requestId) ?? {};
  if (event.kind === 'run' && event.runId !== undefined) {
    turns.update(requestId, { run: { runId: event.runId, status: 'running' } });
  }
  if (event.kind === 'done' && run !== undefined) {
    const { status, usage } = event;
    turns.update(requestId, { run: { ...run, status, ...(usage === undefined ? {} : { usage }) } });
  }
  turns.take(requestId, event);
  return requestId;
}
