import { liveEvents, type RunEvent, runEvents } from '@mlango/schemas/oracle-events';
import { RunWriter } from '../runs/log/append.js';
import { interruptedError } from '../runs/log/ended-run.js';
import { formatTextEnds, textEndsAfter, textEndsOf } from '../runs/log/frames.js';
import { type RunFrame, type RunLogStore, type RunStart, readFrames } from '../runs/log/store.js';
import type { MeteredTurn } from '../runs/payment.js';
import type { EndStatus } from '../runs/run.js';
import type { OrphanedRun } from '../runs/run-repository.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { StoredComponent, StoredMessage, StoredToolCall } from '../store/sessions.js';
import type { TurnDeps } from './deps.js';
import type { CallRecord } from './loop/call-records.js';
import type { CallRecords } from './loop/sql-call-records.js';
import { closingEvents, outcomeUnknown } from './loop/turn-tool.js';
import { withRenderedComponent } from './prompt/emit.js';
import { estimateRecoveredUsage, type RecoveredUsagePorts } from './recovered-usage.js';
import { finishTurn } from './turn.js';
import { publishMessagesChanged } from './turn-events.js';
import { endAndRelease, reportUsage } from './usage.js';

/** Runs taken over in one round. */
const orphansAtOnce = 20;

export interface RecoveryPorts extends RecoveredUsagePorts {
  readonly conversations: Pick<ConversationStore, 'addMessage' | 'findMessage' | 'messagesUpTo' | 'replaceAnswer'>;
  readonly runs: RunLogStore;
  readonly calls: Pick<CallRecords, 'ofRun'>;
  readonly writerId: string;
  readonly now: () => Date;
}

/** Takes over runs with an expired lease and ends each. `skip`: the runs of this process. */
export async function recoverOrphans(parts: TurnDeps, skip: readonly string[]): Promise<void> {
  const { runRepository, lease, log, onTurnEnd } = parts;
  const { writerId } = lease;
  const ports = { ...parts, writerId };
  for (const orphan of await runRepository.takeOrphans(lease, orphansAtOnce, skip)) {
    const { runId } = orphan;
    try {
      const { ended, usage } = await finishTurn({
        storeAnswer: () => storeRecovered(orphan, ports),
        reportUsage: async ({ usage: metered }) => {
          const isReported = metered === undefined || (await reportUsage(parts, metered));
          return { metered, isReported, hasWaited: true };
        },
        endRun: async (recovered, owed) => {
          const { status, textMarks } = recovered;
          await endAndRelease(parts, runId, owed, (unreported) =>
            runRepository.end(runId, writerId, status, { textMarks, unreported }),
          );
          return recovered;
        },
        publish: async (recovered) => {
          await closeRecoveredLog(orphan, recovered, ports);
          publishMessagesChanged(orphan, parts);
        },
      });
      onTurnEnd(ended.status, usage.metered);
    } catch (err) {
      // Retried when this lease expires.
      log.error({ err, runId }, 'run not recovered');
    }
  }
}

/** The turn of a dead process, with its answer stored. */
interface RecoveredTurn {
  readonly status: EndStatus;
  readonly usage: MeteredTurn | undefined;
  /** Text ends of the log with its closing events; undefined when the log is missing or has ended. */
  readonly textMarks?: string;
  /** The frames and the closing events of a log that this process has taken over. */
  readonly log?: { readonly frames: readonly RunFrame[]; readonly text: string; readonly closing: readonly RunEvent[] };
}

/**
 * Stores the answer of a dead process: the partial text, or the text of a turn that the process had already ended. The frames are newer
 * than the repository, which receives the partial text only at lease renewals.
 */
export async function storeRecovered(orphan: OrphanedRun, ports: RecoveryPorts): Promise<RecoveredTurn> {
  const { conversations, runs, calls, writerId, now } = ports;
  const { sessionId, requestId, runId } = orphan;
  const isOpen = await runs.takeOver(orphan, writerId);
  // A closed log accepts no frames, but its frames still show what readers received.
  const frames = await readFrames(runs, orphan);
  // The answer is stored before the run is released, so it can exist without the last frames.
  const storedAnswer = await conversations.findMessage(orphan.ownerDid, sessionId, requestId);
  const status = recoveredEnd(frames, storedAnswer);
  const loggedText = textOfEvents(frames, 'message', 'content');
  const text = [loggedText, orphan.partialText, storedAnswer?.content ?? ''].reduce(longer);
  const reasoning = textOfEvents(frames, 'reasoning', 'reasoning');
  const made = await calls.ofRun(orphan);
  const usage = await estimateRecoveredUsage(orphan, { text, reasoning, calls: made }, ports);
  const offsets = callOffsets(frames);
  const toolCalls = made.map((call) => {
    const at = offsets.get(call.id) ?? storedAnswer?.toolCalls?.find(({ id }) => id === call.id)?.at;
    return { ...storedCall(call), ...(at === undefined ? {} : { at }) };
  });
  const components = frames.length === 0 ? (storedAnswer?.components ?? []) : componentsIn(frames);
  const hasActed = toolCalls.length > 0;
  const message = {
    messageId: requestId,
    turnId: runId,
    type: 'ai' as const,
    content: text,
    createdAt: now(),
    status,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(hasActed ? { toolCalls } : {}),
    ...(components.length === 0 ? {} : { components }),
  };
  const hasDone = frames.at(-1)?.event === 'done';
  // A turn that had ended without an answer stores none. Any other turn stores at least the interruption.
  const isNothing = hasDone && text === '' && !hasActed;
  const result = isNothing ? 'absent' : await storeRecoveredAnswer(conversations, orphan, message, storedAnswer);
  // The process was frozen, and stored its answer since the look-up: that answer counts.
  if (result === 'duplicate' && storedAnswer === undefined) return storeRecovered(orphan, ports);
  if (!isOpen) return { status, usage };
  const messageId = result === 'absent' ? undefined : requestId;
  const timestamp = now().toISOString();
  const answer = { run: orphan, frames, loggedText, text, status, messageId, hasActed, timestamp };
  const closing = hasDone ? [] : [...closingEvents(frames), ...endingEvents(answer)];
  const textMarks = formatTextEnds(textEndsAfter(textEndsOf(frames), closing));
  return { status, usage, textMarks, log: { frames, text: loggedText, closing } };
}

/** Appends the closing events to a log that was taken over, and ends it. */
export async function closeRecoveredLog(run: RunStart, { log }: RecoveredTurn, ports: RecoveryPorts): Promise<void> {
  if (log === undefined) return;
  const { runs, writerId, now } = ports;
  const writer = new RunWriter({
    store: runs,
    run,
    writerId,
    now,
    textEnds: textEndsOf(log.frames),
    textBefore: log.text,
    // These frames are the only copy of the log.
    isHeld: async () => false,
    retryMs: 250,
    patienceMs: 5_000,
    onTakenOver: () => undefined,
    onBroken: () => undefined,
  });
  for (const event of log.closing) writer.write(event);
  await writer.end(true);
}

/** Replaces a stored answer only if it was stored at a suspension or is shorter than the recovered one. */
async function storeRecoveredAnswer(
  conversations: RecoveryPorts['conversations'],
  { ownerDid, sessionId }: OrphanedRun,
  message: StoredMessage,
  storedAnswer: StoredMessage | undefined,
) {
  const added = await conversations.addMessage(ownerDid, sessionId, message);
  const hasWaited = storedAnswer?.toolCalls?.some(({ status }) => status === 'waiting') === true;
  const isShort = storedAnswer !== undefined && storedAnswer.content.length < message.content.length;
  if (added === 'duplicate' && (hasWaited || isShort)) await conversations.replaceAnswer(ownerDid, sessionId, message);
  return added;
}

/** A call with an unknown outcome is reported as such to the user and the model. */
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

/** The concatenated text of the frames of one kind. */
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

/** Status of a recovered turn: from its `done` frame, else from its stored answer, which is written before `done`, else interrupted. */
function recoveredEnd(frames: readonly RunFrame[], storedAnswer: StoredMessage | undefined): EndStatus {
  const last = frames.at(-1);
  const loggedStatus = last?.event === 'done' ? (JSON.parse(last.data) as { status?: unknown }).status : undefined;
  return [loggedStatus, storedAnswer?.status].find(isEnd) ?? 'interrupted';
}

/** A suspended turn has not ended. */
function isEnd(status: unknown): status is EndStatus {
  return ends.has(status);
}

export interface RecoveredAnswer {
  readonly run: RunStart;
  readonly frames: readonly RunFrame[];
  /** Text in the frames. */
  readonly loggedText: string;
  /** The full text. */
  readonly text: string;
  readonly status: EndStatus;
  /** Undefined without an answer. */
  readonly messageId: string | undefined;
  /** A tool was called. */
  readonly hasActed: boolean;
  readonly timestamp: string;
}

/** The closing events of a recovered turn: the missing text of a complete answer, else the error, then `done`. */
function endingEvents(answer: RecoveredAnswer): RunEvent[] {
  const { run, frames, loggedText, text, status, messageId, hasActed, timestamp } = answer;
  const { runId, sessionId, requestId } = run;
  const isWhole = status === 'finished' || status === 'aborted';
  const rest = isWhole && text.startsWith(loggedText) ? text.slice(loggedText.length) : '';
  const isReported = isWhole || frames.some(({ event }) => event === 'error');
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
    ...(isReported ? [] : [{ event: 'error' as const, data: error }]),
    { event: 'done', data: done },
  ];
}

/** Characters of the answer before each call, by call id. */
function callOffsets(frames: readonly RunFrame[]): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  for (const frame of frames) {
    const id = callIdOf(frame);
    if (id !== undefined && !offsets.has(id)) offsets.set(id, frame.textLength);
  }
  return offsets;
}

/** The components in the frames, in their stored form. */
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
