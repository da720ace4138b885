import { setTimeout as sleep } from 'node:timers/promises';
import { RunWriter, type RunWriterOptions } from '../runs/log/append.js';
import { textEndsOf } from '../runs/log/frames.js';
import type { MeteredTurn } from '../runs/payment.js';
import type { AddMessageResult, StoredMessage, StoredToolCall } from '../store/sessions.js';
import type { TurnDeps } from './deps.js';
import { type LoopSuspension, runToolLoop } from './loop/tool-loop.js';
import { prepareTurn } from './prompt/prompt.js';
import type { PluggedTurn } from './prompt/turn-plugins.js';
import { suspend } from './suspension.js';
import {
  answerNotStored,
  answerParts,
  asStored,
  type Ending,
  finishTurn,
  isEmpty,
  notRetryable,
  outcomeOf,
  stopReason,
  type Turn,
  type TurnOutcome,
  turnEnding,
  turnFailed,
} from './turn.js';
import { notifyListeners, publishMessagesChanged, TurnEvents } from './turn-events.js';
import { endAndRelease, reportUsage, type UsageAtEnd } from './usage.js';

/** Retry interval of a log that could not be written. */
const retryMs = 250;
/** How long the end of a turn waits for the end of its log. */
const logWaitMs = 1_000;
/** How long a run log may be unavailable before the turn continues without it. */
const patienceMs = 30_000;

/** Runs one turn to its end. A partial answer is stored too. Never rejects, and always publishes `done` last. */
export async function runTurn(turn: Turn, parts: TurnDeps): Promise<TurnOutcome> {
  const { runs, runRepository, listeners, log, onTurnEnd } = parts;
  const { writerId } = parts.lease;
  const { run, hasLog } = turn;
  const { runId, sessionId, requestId } = run;
  const writer = new RunWriter({
    store: runs,
    run,
    writerId,
    hasLog,
    ...logPosition(turn),
    now: parts.now,
    isHeld: () => runRepository.isHeld(runId, writerId),
    retryMs,
    patienceMs,
    onTakenOver: () => turn.stop('taken_over'),
    onBroken: (err) => log.error({ err, runId }, 'run log abandoned'),
  });
  const onFailure = (err: unknown) => log.error({ err, runId }, 'turn listener failed');
  const events = new TurnEvents({ run, log: writer, listeners, onFailure });
  if (turn.resumed === undefined) {
    const begins = { event: 'run' as const, data: { runId, sessionId, requestId } };
    if (turn.begun.length === 0) events.publish(begins);
    else notifyListeners(listeners, run, begins, onFailure);
  }
  const { pause, ...ending } = await answerOnce(turn, parts, events);
  const { ended, usage } = await finishTurn({
    storeAnswer: async () =>
      (await storeAnswerAndEnd(turn, parts, ending, writer.textMarks)) ?? (await storeAnswer(turn, parts, ending)),
    reportUsage: ({ outcome }) => usageAtEnd(turn, parts, outcome),
    endRun: async ({ outcome, hasEnded }, owed) => {
      if (hasEnded) return outcome;
      const isWaiting = outcome.status === 'waiting' && pause !== undefined;
      const unreported = owed.isReported ? undefined : owed.metered;
      const released = isWaiting ? await suspend(turn, parts, events, outcome, pause, unreported) : outcome;
      return endUnlessSuspended(turn, parts, released, owed, writer.textMarks);
    },
    publish: (outcome) => publishEnd(turn, parts, outcome, events, writer),
  });
  onTurnEnd(ended.status, usage.metered);
  return ended;
}

/** Publishes the failure, if any, and `done`, and closes the log. */
async function publishEnd(
  { run }: Turn,
  parts: TurnDeps,
  outcome: TurnOutcome,
  events: TurnEvents,
  writer: RunWriter,
): Promise<void> {
  const { runId, sessionId, requestId } = run;
  if (outcome.failure !== undefined) {
    const { cause, detail, ...failure } = outcome.failure;
    if (cause !== undefined) parts.log.error({ err: cause, runId }, 'turn failed');
    const timestamp = parts.now().toISOString();
    events.publish({ event: 'error', data: { error: detail, ...failure, detail, sessionId, requestId, timestamp } });
  }
  events.publish({ event: 'done', data: doneOf(runId, outcome, parts) });
  publishMessagesChanged(run, parts);
  // Writing the log is retried in the background; the answer does not wait for it.
  const logged = outcome.status === 'waiting' ? writer.pause() : writer.end(isAnswerStored(outcome));
  await Promise.race([logged, sleep(logWaitMs, undefined, { ref: false })]);
}

/** Position of the run log. */
function logPosition({ begun, resumed, draft }: Turn): Pick<RunWriterOptions, 'textEnds' | 'textBefore'> {
  if (resumed === undefined) return { textEnds: textEndsOf(begun) };
  const { textEnds } = resumed;
  return textEnds === undefined ? {} : { textEnds, textBefore: draft.content };
}

type Answered = Ending & { readonly pause?: LoopSuspension };

/** How the turn ended; not retryable once tools were called. */
async function answerOnce(turn: Turn, parts: TurnDeps, events: TurnEvents): Promise<Answered> {
  const { draft } = turn;
  const ending = await answer(turn, parts, events);
  if (ending.status !== 'waiting')
    draft.toolCalls.splice(0, Number.POSITIVE_INFINITY, ...draft.toolCalls.map(closePendingCall));
  return draft.acted === 0 ? ending : notRetryable(ending);
}

/** A pending call of an ended turn becomes an error. */
function closePendingCall(call: StoredToolCall): StoredToolCall {
  if (call.status !== 'waiting') return call;
  return {
    ...call,
    status: 'error',
    output: JSON.stringify({ error: 'Not called: the turn ended before.' }),
    isOwn: true,
  };
}

/** Runs the tool loop until the answer, a failure, a stop or a suspension. Never rejects. */
async function answer(turn: Turn, parts: TurnDeps, events: TurnEvents): Promise<Answered> {
  const { draft, signal } = turn;
  let plugged: PluggedTurn | undefined;
  try {
    // A resumed turn completes its decided calls even after a stop.
    if (!signal.aborted || turn.resumed !== undefined) {
      const prompt = await prepareTurn(turn, parts, events);
      plugged = prompt;
      const pause = await runToolLoop(turn, prompt, { ...parts, approvalMs: parts.limits.approvalMs, events });
      const mayWait = !signal.aborted || stopReason(signal) === 'shutdown';
      if (pause !== undefined && mayWait) return { status: 'waiting', pause };
    }
  } catch (cause) {
    if (!signal.aborted) return turnFailed(cause);
  } finally {
    plugged?.close();
  }
  return turnEnding(draft, signal);
}

interface StoredTurn {
  readonly outcome: TurnOutcome;
  /** The run has ended too. */
  readonly hasEnded: boolean;
}

async function storeAnswer(turn: Turn, parts: TurnDeps, ending: Ending): Promise<StoredTurn> {
  const { conversations, now } = parts;
  const outcome = outcomeOf(turn.draft, ending);
  const stored = (more: Partial<TurnOutcome>) => ({ outcome: { ...outcome, ...more }, hasEnded: false });
  if (isEmpty(outcome)) return stored({});
  const { ownerDid, sessionId, requestId } = turn.run;
  try {
    const whole = answerOf(turn, outcome.status, now);
    const isReplaced = turn.resumed !== undefined && (await conversations.replaceAnswer(ownerDid, sessionId, whole));
    const added = isReplaced ? 'added' : await conversations.addMessage(ownerDid, sessionId, whole);
    if (added === 'duplicate') return { outcome: await outcomeStoredBefore(turn, parts, outcome), hasEnded: false };
    return stored(added === 'added' ? { messageId: requestId } : {});
  } catch (cause) {
    const retryable = turn.draft.acted === 0;
    return stored({ status: 'failed', failure: outcome.failure ?? { ...answerNotStored, retryable, cause } });
  }
}

/**
 * The outcome of a turn whose answer was stored before: by a lost reply of the store, or by a process that took the turn over while this one
 * was frozen. The stored answer counts.
 */
async function outcomeStoredBefore(
  { run }: Turn,
  { conversations }: Pick<TurnDeps, 'conversations'>,
  outcome: TurnOutcome,
): Promise<TurnOutcome> {
  const stored = await conversations.findMessage(run.ownerDid, run.sessionId, run.requestId);
  return stored === undefined ? outcome : asStored(outcome, stored);
}

/** Reports the usage of the turn. */
async function usageAtEnd(turn: Turn, parts: TurnDeps, outcome: TurnOutcome): Promise<UsageAtEnd> {
  const metered = meteredTurn(turn, parts, outcome);
  const isReported = metered === undefined || (await reportUsage(parts, metered));
  return { metered, isReported, hasWaited: turn.resumed !== undefined };
}

/** Ends the run of a turn that was not suspended. */
async function endUnlessSuspended(
  { run: { runId } }: Turn,
  parts: TurnDeps,
  outcome: TurnOutcome,
  usage: UsageAtEnd,
  textMarks: string,
): Promise<TurnOutcome> {
  const { status } = outcome;
  if (status === 'waiting') return outcome;
  const { runRepository, lease, log } = parts;
  const metered = usage.metered && withoutDeadline(usage.metered);
  await endAndRelease(parts, runId, { ...usage, metered }, (unreported) =>
    runRepository.end(runId, lease.writerId, status, { textMarks, unreported }),
  ).catch((err: unknown) => log.error({ err, runId }, 'end of run not stored'));
  return outcome;
}

function doneOf(
  runId: string,
  { status, messageId, content, finishReason, usage, answeredBy }: TurnOutcome,
  { meters }: Pick<TurnDeps, 'meters'>,
) {
  const isCharged = meters.some(({ charges }) => charges === true);
  return {
    runId,
    ...(messageId === undefined ? {} : { messageId }),
    status,
    ...(status === 'finished' || status === 'waiting' ? {} : { [status]: true }),
    ...(status === 'finished' || content === '' ? {} : { partialText: content }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(answeredBy === undefined ? {} : { model: answeredBy }),
    ...(usage === undefined
      ? {}
      : { usage: { ...usage, ...(isCharged ? { credits: usage.inputTokens + usage.outputTokens } : {}) } }),
  };
}

/** Usage report of a turn; undefined without a model request. */
function meteredTurn(
  { request, run, resumed }: Turn,
  { now, limits }: TurnDeps,
  { usage, status, answeredBy }: TurnOutcome,
) {
  if (usage === undefined) return undefined;
  const waiting = status === 'waiting' ? { waitsUntil: new Date(now().getTime() + limits.approvalMs) } : {};
  return { ...usage, ...run, part: resumed?.state.pauses ?? 0, modelId: answeredBy ?? request.model.id, ...waiting };
}

/** The report of a turn after a failed suspension. */
function withoutDeadline({ waitsUntil: _waitsUntil, ...turn }: MeteredTurn): MeteredTurn {
  return turn;
}

/** Whether the conversation has everything that is in the frames. */
function isAnswerStored(outcome: TurnOutcome): boolean {
  return outcome.messageId !== undefined || isEmpty(outcome);
}

/**
 * Stores the answer and ends the run in one statement. Does nothing and returns undefined when that is impossible: without an answer,
 * for a suspended or resumed turn, with meters to report to in between, or when the statement failed.
 */
async function storeAnswerAndEnd(
  turn: Turn,
  parts: Pick<
    TurnDeps,
    'conversations' | 'runRepository' | 'lease' | 'meters' | 'usageOutbox' | 'gate' | 'log' | 'now'
  >,
  ending: Ending,
  textMarks: string,
): Promise<StoredTurn | undefined> {
  const outcome = outcomeOf(turn.draft, ending);
  const { status } = outcome;
  if (status === 'waiting' || turn.resumed !== undefined || parts.meters.length > 0 || isEmpty(outcome))
    return undefined;
  const { runId, requestId } = turn.run;
  const answer = answerOf(turn, status, parts.now);
  let added: AddMessageResult | undefined;
  try {
    await endAndRelease(parts, runId, { metered: undefined, isReported: true, hasWaited: false }, async () => {
      added = await parts.runRepository.endAnswered(turn.run, parts.lease.writerId, status, answer, textMarks);
    });
    if (added === 'duplicate') return { outcome: await outcomeStoredBefore(turn, parts, outcome), hasEnded: true };
  } catch (err) {
    parts.log.error({ err, runId }, 'answer and end of run not stored in one statement, storing separately');
    return undefined;
  }
  return { outcome: added === 'added' ? { ...outcome, messageId: requestId } : outcome, hasEnded: true };
}

/** The answer of a turn in stored form. */
function answerOf({ run, draft, resumed }: Turn, status: TurnOutcome['status'], now: () => Date): StoredMessage {
  const message = { messageId: run.requestId, turnId: run.runId, type: 'ai' as const, ...answerParts(draft) };
  return { ...message, status, createdAt: resumed?.answer?.createdAt ?? now() };
}
