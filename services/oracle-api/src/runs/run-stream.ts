import { setTimeout as sleep } from 'node:timers/promises';
import type { RunRegister } from './run-register.js';
import type { RunFrame, RunStart, RunStore } from './run-store.js';
import { isLive, SilenceWatch } from './silence-watch.js';

export interface RunStreamParts {
  readonly runs: Pick<RunStore, 'read' | 'follow'>;
  readonly register: Pick<RunRegister, 'find'>;
  /** How often a run without a log is looked up until it has ended. */
  readonly lookMs: number;
  /** A run that says nothing for so long is looked up. */
  readonly silenceMs: number;
}

/**
 * The frames of a run after the given one, then those to come, with `done` last whatever became of the log. A reader that
 * comes back is first told what it should have; that frame repeats the id of the last one it saw, so that it changes
 * nothing of where to go on.
 */
export async function* runStream(
  parts: RunStreamParts,
  run: RunStart,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly RunFrame[], void> {
  let last = after;
  if (after > 0) yield [await resumedFrame(parts, run, after)];
  const watch = new SilenceWatch(parts, run, signal);
  watch.heard(after);
  try {
    for await (const frames of parts.runs.follow(run, after, watch.signal)) {
      yield frames;
      const newest = frames.at(-1);
      last = newest?.id ?? last;
      if (newest?.event === 'done') return;
      watch.heard(last);
    }
  } finally {
    watch.close();
  }
  if (!signal.aborted) yield [await doneFrame(parts, run, last + 1, signal)];
}

async function resumedFrame({ runs }: RunStreamParts, run: RunStart, after: number): Promise<RunFrame> {
  const { runId, sessionId, requestId } = run;
  const part = await runs.read(run, after - 1);
  const textLength = part?.frames[0]?.textLength ?? 0;
  const data = { runId, sessionId, requestId, resumed: true, attempt: 1, partialLength: textLength };
  return { id: after, event: 'run', data: JSON.stringify(data), textLength };
}

/** Waits for the end of a run whose log is gone, and tells of it. A run that is gone too was deleted with its session. */
async function doneFrame(parts: RunStreamParts, run: RunStart, id: number, signal: AbortSignal): Promise<RunFrame> {
  const { runId, ownerDid, requestId } = run;
  let status = (await parts.register.find(ownerDid, runId))?.status ?? 'aborted';
  while (isLive(status) && !signal.aborted) {
    await sleep(parts.lookMs, undefined, { signal }).catch(() => undefined);
    status = (await parts.register.find(ownerDid, runId))?.status ?? 'aborted';
  }
  const data = status === 'finished' ? { runId, messageId: requestId, status } : { runId, status, [status]: true };
  return { id, event: 'done', data: JSON.stringify(data), textLength: 0 };
}
