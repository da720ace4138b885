import { readRun } from '../../runs/read-run.js';
import type { EndStatus, OrphanedRun } from '../../runs/run-register.js';
import type { RunFrame, RunStore } from '../../runs/run-store.js';
import { RunWriter } from '../../runs/run-writer.js';
import type { TextMarks } from '../../runs/text-marks.js';
import type { ConversationStore, StoredMessage, StoredToolCall } from '../../store/conversation-store.js';
import { endHeld, tellMeters } from '../after/tell-meters.js';
import type { MeteredTurn } from '../after/turn-usage.js';
import type { CallRecords, KeptCall } from '../calls/call-records.js';
import { openToolEvents, outcomeUnknown } from '../loop/open-tools.js';
import { callPlaces, componentsIn } from './placed-in-frames.js';
import { endingEvents, recoveredEnd } from './recovered-end.js';
import { tellOfChange } from './run-turn.js';
import type { RunParts } from './turns-parts.js';
import { type UsageLeftPorts, usageLeft } from './usage-left.js';

/** Runs taken over in one round. */
const orphansAtOnce = 20;

export interface RecoveryPorts extends UsageLeftPorts {
  readonly conversations: Pick<ConversationStore, 'addMessage' | 'findMessage' | 'messagesUpTo' | 'replaceAnswer'>;
  readonly runs: RunStore;
  readonly calls: Pick<CallRecords, 'ofRun'>;
  readonly writerId: string;
  readonly now: () => Date;
}

/** Takes over the runs that no process holds any more, and brings each to its end. Those of `skip` are this process's own. */
export async function recoverOrphans(parts: RunParts, skip: readonly string[]): Promise<void> {
  const { register, lease, log, onTurnEnd } = parts;
  const { writerId } = lease;
  for (const orphan of await register.takeOrphans(lease, orphansAtOnce, skip)) {
    const { runId } = orphan;
    try {
      const { status, marks, usage } = await recoverRun(orphan, { ...parts, writerId });
      const isTold = usage === undefined || (await tellMeters(parts, usage));
      await endHeld(parts, runId, { metered: usage, isTold, hasWaited: true }, (untold) =>
        register.end(runId, writerId, status, { textMarks: marks?.toString(), untold }),
      );
      onTurnEnd(status, usage);
      tellOfChange(orphan, parts);
    } catch (err) {
      // It is taken up again when this lease has run out.
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
  const frames = await readRun(runs, orphan);
  // The answer is kept before its process lets go of it, and its last frames may not have been.
  const kept = await conversations.findMessage(orphan.ownerDid, sessionId, requestId);
  const status = recoveredEnd(frames, kept);
  const said = saidIn(frames, 'message', 'content');
  const text = [said, orphan.partialText, kept?.content ?? ''].reduce(longer);
  const reasoning = saidIn(frames, 'reasoning', 'reasoning');
  const made = await calls.ofRun(orphan);
  const usage = await usageLeft(orphan, { text, reasoning, calls: made }, ports);
  const places = callPlaces(frames);
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
  const result = isNothing ? 'absent' : await keepWhole(conversations, orphan, message, kept);
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
    for (const event of openToolEvents(frames)) writer.write(event);
    for (const event of endingEvents({ run: orphan, frames, said, text, status, messageId, hasActed, timestamp })) {
      writer.write(event);
    }
  }
  await writer.end(true);
  return { status, marks: writer.marks, usage };
}

/** An answer that was kept whole stays; one that was kept when its turn waited, or of which its readers heard more since, makes place for what there is now. */
async function keepWhole(
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
function storedCall({ id, name, kind, args, outcome, approval }: KeptCall): StoredToolCall {
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
function saidIn(frames: readonly RunFrame[], event: 'message' | 'reasoning', field: 'content' | 'reasoning'): string {
  return frames
    .filter((frame) => frame.event === event)
    .map(({ data }) => (JSON.parse(data) as Record<typeof field, string>)[field])
    .join('');
}

function longer(one: string, other: string): string {
  return one.length >= other.length ? one : other;
}
