import { interruptedError } from '../../runs/interrupted-error.js';
import type { OrphanedRun } from '../../runs/run-register.js';
import type { RunFrame, RunStore } from '../../runs/run-store.js';
import { RunWriter } from '../../runs/run-writer.js';
import { TextMarks } from '../../runs/text-marks.js';
import type { ConversationStore, StoredToolCall } from '../../store/conversation-store.js';
import type { CallRecords, KeptCall } from '../calls/call-records.js';
import { openToolEvents, outcomeUnknown } from '../loop/open-tools.js';
import { tellOfChange } from './run-turn.js';
import type { RunParts } from './turns-parts.js';

/** Runs taken over in one round. */
const orphansAtOnce = 20;

export interface RecoveryPorts {
  readonly conversations: Pick<ConversationStore, 'addMessage'>;
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
      const marks = await recoverRun(orphan, { ...parts, writerId });
      await register.end(runId, writerId, 'interrupted', marks?.toString());
      onTurnEnd('interrupted');
      tellOfChange(orphan, parts);
    } catch (err) {
      // It is taken up again when this lease has run out.
      log.error({ err, runId }, 'run not recovered');
    }
  }
}

/**
 * Brings a run to its end whose process is gone: what it had said is kept as the answer, and those who follow it are told
 * that it was interrupted. The frames know more than the register, which hears of the answer only now and then. Gives the
 * marks of those frames; undefined when they are gone.
 */
export async function recoverRun(orphan: OrphanedRun, ports: RecoveryPorts): Promise<TextMarks | undefined> {
  const { conversations, runs, calls, writerId, now } = ports;
  const { ownerDid, sessionId, requestId, runId } = orphan;
  const hasLog = await runs.takeOver(orphan, writerId);
  const frames = hasLog ? await readAll(runs, orphan) : [];
  const text = longer(textOf(frames), orphan.partialText);
  const reasoning = reasoningOf(frames);
  const toolCalls = (await calls.ofRun(orphan)).map(storedCall);
  const hasActed = toolCalls.length > 0;
  const message = {
    ...{ messageId: requestId, turnId: runId, type: 'ai' as const, content: text, createdAt: now() },
    ...(reasoning === '' ? {} : { reasoning }),
    ...(hasActed ? { toolCalls } : {}),
  };
  const isEmpty = text === '' && !hasActed;
  const result = isEmpty ? 'absent' : await conversations.addMessage(ownerDid, sessionId, message);
  if (!hasLog) return undefined;
  const last = frames.at(-1);
  const writer = new RunWriter({
    store: runs,
    run: orphan,
    writerId,
    from: TextMarks.of(frames),
    retryMs: 250,
    patienceMs: 5_000,
    onLost: () => undefined,
    onBroken: () => undefined,
  });
  if (last?.event !== 'done') {
    const place = { sessionId, requestId };
    for (const event of openToolEvents(frames)) writer.write(event);
    writer.write({ event: 'error', data: { ...interruptedError(hasActed), ...place, timestamp: now().toISOString() } });
    writer.write({
      event: 'done',
      data: {
        runId,
        ...(result === 'absent' ? {} : { messageId: requestId }),
        status: 'interrupted',
        interrupted: true,
        ...(text === '' ? {} : { partialText: text }),
      },
    });
  }
  await writer.end(true);
  return writer.marks;
}

async function readAll(runs: RunStore, run: OrphanedRun): Promise<RunFrame[]> {
  const frames: RunFrame[] = [];
  for (;;) {
    const part = await runs.read(run, frames.at(-1)?.id ?? 0);
    if (part === undefined || part.frames.length === 0) return frames;
    frames.push(...part.frames);
  }
}

/** A call of which nobody knows the outcome says so, to the user and to the model. */
function storedCall({ id, name, kind, args, outcome }: KeptCall): StoredToolCall {
  const ended = outcome ?? { status: 'unknown', output: JSON.stringify({ error: outcomeUnknown }) };
  return { id, name, ...(kind === undefined ? {} : { kind }), args, ...ended };
}

function reasoningOf(frames: readonly RunFrame[]): string {
  return frames
    .filter(({ event }) => event === 'reasoning')
    .map(({ data }) => (JSON.parse(data) as { reasoning: string }).reasoning)
    .join('');
}

function textOf(frames: readonly RunFrame[]): string {
  return frames
    .filter(({ event }) => event === 'message')
    .map(({ data }) => (JSON.parse(data) as { content: string }).content)
    .join('');
}

function longer(one: string, other: string): string {
  return one.length >= other.length ? one : other;
}
