import { liveEvents, type RunEvent, runEvents } from '@mlango/schemas/oracle-events';
import type { ModelCatalog } from '../models/model-catalog.js';
import { RunWriter } from '../runs/log/append.js';
import { interruptedError } from '../runs/log/ended-run.js';
import type { TextMarks } from '../runs/log/frames.js';
import { type RunFrame, type RunLogStore, type RunStart, readFrames } from '../runs/log/store.js';
import type { EndStatus } from '../runs/run.js';
import type { OrphanedRun } from '../runs/run-repository.js';
import type { ConversationStore, StoredComponent, StoredMessage, StoredToolCall } from '../store/sessions.js';
import type { TurnDeps } from './deps.js';
import type { CallRecord, CallRecords } from './loop/call-records.js';
import type { SuspendedRuns } from './loop/suspended-runs.js';
import { closingEvents, outcomeUnknown } from './loop/turn-tool.js';
import { withRenderedComponent } from './prompt/emit.js';
import { historyMessages, toModelMessages } from './prompt/history.js';
import { publishMessagesChanged } from './turn-events.js';
import type { SuspendedRunState } from './turn-request.js';
import { estimatedUsage, type MeteredTurn } from './usage.js';
import { endAndRelease, reportUsage } from './usage-outbox.js';

/** Runs taken over in one round. */
const orphansAtOnce = 20;

export interface RecoveryPorts extends LostUsagePorts {
  readonly conversations: Pick<ConversationStore, 'addMessage' | 'findMessage' | 'messagesUpTo' | 'replaceAnswer'>;
  readonly runs: RunLogStore;
  readonly calls: Pick<CallRecords, 'ofRun'>;
  readonly writerId: string;
  readonly now: () => Date;
}

/** Takes over runs with an expired lease and ends each. `skip`: the runs of this process. */
export async function recoverOrphans(parts: TurnDeps, skip: readonly string[]): Promise<void> {
  const { register, lease, log, onTurnEnd } = parts;
  const { writerId } = lease;
  for (const orphan of await register.takeOrphans(lease, orphansAtOnce, skip)) {
    const { runId } = orphan;
    try {
      const { status, marks, usage } = await recoverRun(orphan, { ...parts, writerId });
      const isTold = usage === undefined || (await reportUsage(parts, usage));
      await endAndRelease(parts, runId, { metered: usage, isReported: isTold, hasWaited: true }, (untold) =>
        register.end(runId, writerId, status, { textMarks: marks?.toString(), unreported: untold }),
      );
      onTurnEnd(status, usage);
      publishMessagesChanged(orphan, parts);
    } catch (err) {
      // Retried when this lease expires.
      log.error({ err, runId }, 'run not recovered');
    }
  }
}

/**
 * Brings a run to its end whose process is gone: what it had said is kept as the answer, and those who follow it are told
 * that it was interrupted, unless it had ended and its process could not say so everywhere. The frames know more than the register,
 * which hears of the answer only now and then. Gives how it ended, what it took, and the marks of those frames; undefined when they are gone.
 */
export async function recoverRun(
  orphan: OrphanedRun,
  ports: RecoveryPorts,
): Promise<{ readonly status: EndStatus; readonly marks?: TextMarks; readonly usage: MeteredTurn | undefined }> {
  const { conversations, runs, calls, writerId, now } = ports;
  const { sessionId, requestId, runId } = orphan;
  const isOpen = await runs.takeOver(orphan, writerId);
  // A log that was closed takes no more, and still knows what its readers were told.
  const frames = await readFrames(runs, orphan);
  // The answer is kept before its process lets go of it, and its last frames may not have been.
  const kept = await conversations.findMessage(orphan.ownerDid, sessionId, requestId);
  const status = recoveredEnd(frames, kept);
  const said = textOfEvents(frames, 'message', 'content');
  const text = [said, orphan.partialText, kept?.content ?? ''].reduce(longer);
  const reasoning = textOfEvents(frames, 'reasoning', 'reasoning');
  const made = await calls.ofRun(orphan);
  const usage = await estimateLostUsage(orphan, { text, reasoning, calls: made }, ports);
  const places = callOffsets(frames);
  const toolCalls = made.map((call) => {
    const at = places.get(call.id) ?? kept?.toolCalls?.find(({ id }) => id === call.id)?.at;
    return { ...storedCall(call), ...(at === undefined ? {} : { at }) };
  });
  const components = frames.length === 0 ? (kept?.components ?? []) : componentsIn(frames);
  const hasActed = toolCalls.length > 0;
  const message = {
    ...{ messageId: requestId, turnId: runId, type: 'ai' as const, content: text, createdAt: now() },
    status,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(hasActed ? { toolCalls } : {}),
    ...(components.length === 0 ? {} : { components }),
  };
  const last = frames.at(-1);
  // One that had ended without an answer has none; any other says at least that it was interrupted.
  const isNothing = last?.event === 'done' && text === '' && !hasActed;
  const result = isNothing ? 'absent' : await storeRecoveredAnswer(conversations, orphan, message, kept);
  if (!isOpen) return { status, usage };
  const writer = new RunWriter({
    store: runs,
    run: orphan,
    writerId,
    now,
    begun: frames,
    textBefore: said,
    // The log that is read here is all there is of it.
    isHeld: async () => false,
    retryMs: 250,
    patienceMs: 5_000,
    onLost: () => undefined,
    onBroken: () => undefined,
  });
  if (last?.event !== 'done') {
    const messageId = result === 'absent' ? undefined : requestId;
    const timestamp = now().toISOString();
    for (const event of closingEvents(frames)) writer.write(event);
    for (const event of endingEvents({ run: orphan, frames, said, text, status, messageId, hasActed, timestamp })) {
      writer.write(event);
    }
  }
  await writer.end(true);
  return { status, marks: writer.marks, usage };
}

/** An answer that was kept whole stays; one that was kept when its turn waited, or of which its readers heard more since, makes place for what there is now. */
async function storeRecoveredAnswer(
  conversations: RecoveryPorts['conversations'],
  { ownerDid, sessionId }: OrphanedRun,
  message: StoredMessage,
  kept: StoredMessage | undefined,
) {
  const added = await conversations.addMessage(ownerDid, sessionId, message);
  const hasWaited = kept?.toolCalls?.some(({ status }) => status === 'waiting') === true;
  const isShort = kept !== undefined && kept.content.length < message.content.length;
  if (added === 'duplicate' && (hasWaited || isShort)) await conversations.replaceAnswer(ownerDid, sessionId, message);
  return added;
}

/** A call that was begun and of which nobody knows the outcome says so, to the user and to the model. */
function storedCall({ id, name, kind, args, outcome, approval }: CallRecord): StoredToolCall {
  const isBegun = approval === undefined || approval.state === 'begun';
  const error = isBegun ? outcomeUnknown : 'Not called: the service was interrupted before. Nothing has happened.';
  const ended = outcome ?? {
    status: isBegun ? 'unknown' : 'error',
    output: JSON.stringify({ error }),
    isOwn: true as const,
  };
  return { id, name, ...(kind === undefined ? {} : { kind }), args, ...ended };
}

/** What the frames of one kind say, put together. */
function textOfEvents(
  frames: readonly RunFrame[],
  event: 'message' | 'reasoning',
  field: 'content' | 'reasoning',
): string {
  return frames
    .filter((frame) => frame.event === event)
    .map(({ data }) => (JSON.parse(data) as Record<typeof field, string>)[field])
    .join('');
}

function longer(one: string, other: string): string {
  return one.length >= other.length ? one : other;
}

const ends: ReadonlySet<unknown> = new Set<EndStatus>(['finished', 'aborted', 'interrupted', 'failed']);

/**
 * How a turn ended that another process brings to its end: as its readers were told, else as its answer was kept, which is the last thing that a
 * turn does before it tells; a turn that had done neither was interrupted.
 */
function recoveredEnd(frames: readonly RunFrame[], kept: StoredMessage | undefined): EndStatus {
  const last = frames.at(-1);
  const told = last?.event === 'done' ? (JSON.parse(last.data) as { status?: unknown }).status : undefined;
  return [told, kept?.status].find(isEnd) ?? 'interrupted';
}

/** A turn that waits for its user has not ended. */
function isEnd(status: unknown): status is EndStatus {
  return ends.has(status);
}

export interface RecoveredAnswer {
  readonly run: RunStart;
  readonly frames: readonly RunFrame[];
  /** What the frames say of it. */
  readonly said: string;
  /** All of it. */
  readonly text: string;
  readonly status: EndStatus;
  /** Undefined where there is no answer. */
  readonly messageId: string | undefined;
  /** A tool was called. */
  readonly hasActed: boolean;
  readonly timestamp: string;
}

/** What readers of such a turn are told at last: the rest of an answer that is whole, else what became of it, and its end. */
function endingEvents(answer: RecoveredAnswer): RunEvent[] {
  const { run, frames, said, text, status, messageId, hasActed, timestamp } = answer;
  const { runId, sessionId, requestId } = run;
  const isWhole = status === 'finished' || status === 'aborted';
  const rest = isWhole && text.startsWith(said) ? text.slice(said.length) : '';
  const isTold = isWhole || frames.some(({ event }) => event === 'error');
  const error = { ...interruptedError(hasActed), sessionId, requestId, timestamp };
  const done = {
    runId,
    ...(messageId === undefined ? {} : { messageId }),
    status,
    ...(status === 'finished' ? {} : { [status]: true }),
    ...(status === 'finished' || text === '' ? {} : { partialText: text }),
  };
  return [
    ...(rest === '' ? [] : [{ event: 'message' as const, data: { content: rest, timestamp } }]),
    ...(isTold ? [] : [{ event: 'error' as const, data: error }]),
    { event: 'done', data: done },
  ];
}

/** By the id of each call that frames tell of, the characters of the answer before it. */
function callOffsets(frames: readonly RunFrame[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const frame of frames) {
    const id = callIdOf(frame);
    if (id !== undefined && !places.has(id)) places.set(id, frame.textLength);
  }
  return places;
}

/** The components that frames tell of, as an answer keeps them. */
function componentsIn(frames: readonly RunFrame[]): readonly StoredComponent[] {
  return frames
    .filter(({ event }) => event === 'render_component')
    .map(({ data }) => liveEvents.render_component.parse(JSON.parse(data)))
    .reduce(withRenderedComponent, []);
}

function callIdOf({ event, data }: RunFrame): string | undefined {
  if (event === 'tool_call') return runEvents.tool_call.parse(JSON.parse(data)).eventId;
  return event === 'action_call' ? runEvents.action_call.parse(JSON.parse(data)).toolCallId : undefined;
}

/** What is known of a turn whose process is gone. */
export interface PartialAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly CallRecord[];
}

export interface LostUsagePorts {
  readonly conversations: Pick<ConversationStore, 'messagesUpTo'>;
  readonly suspended: Pick<SuspendedRuns, 'find'>;
  readonly models: Pick<ModelCatalog, 'find'>;
}

/** Of a model that does not say how much it reads. */
const unboundedTokens = 30_000;

/**
 * What a turn took whose process is gone, by what it has left: what it had written, and the conversation, read once. Rather too
 * little than too much: how often the model was asked is not known, and a turn that has left nothing is free. It is the same
 * part as its process would have told, so that a meter that knew of it already knows it is the same. Rejects when a store cannot be reached.
 */
export async function estimateLostUsage(
  run: RunStart,
  left: PartialAnswer,
  ports: LostUsagePorts,
): Promise<MeteredTurn | undefined> {
  const { conversations, suspended, models } = ports;
  const { runId, ownerDid, sessionId, requestId } = run;
  const state = await suspended.find(runId);
  const said = textSinceSuspension(state, left);
  if (said === '') return undefined;
  const stored = await conversations.messagesUpTo(ownerDid, sessionId, runId, { limit: historyMessages });
  const before = stored.filter(({ turnId, type }) => turnId !== runId || type === 'human').flatMap(toModelMessages);
  const { inputTokens, outputTokens } = estimatedUsage({ messages: [...before, ...(state?.messages ?? [])] }, said);
  const model = models.find(state?.modelId);
  return {
    ...{ runId, ownerDid, sessionId, requestId, outputTokens },
    inputTokens: Math.min(inputTokens, model?.contextTokens ?? unboundedTokens),
    isEstimated: true,
    part: state?.pauses ?? 0,
    modelId: state?.modelId ?? model?.id ?? 'unknown',
  };
}

/** What the turn had written since it last waited for its user: what it took until then was told when it did. */
function textSinceSuspension(state: SuspendedRunState | undefined, { text, reasoning, calls }: PartialAnswer): string {
  const told = (state?.messages ?? []).filter(({ role }) => role === 'assistant');
  const toldText = told.map(({ content }) => content).filter((content) => content !== '');
  const toldCalls = new Set(told.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)));
  const made = calls.filter(({ id }) => !toldCalls.has(id)).map(({ name, args }) => name + JSON.stringify(args));
  // What it had thought before is in its frames together with what it thought after.
  const thought = state === undefined ? reasoning : '';
  const toldChars = state?.saidChars ?? toldText.join('\n\n').length;
  return [text.slice(toldChars), thought, ...made].join('');
}
