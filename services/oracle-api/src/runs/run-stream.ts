import { setTimeout as sleep } from 'node:timers/promises';
import { interruptedError } from './interrupted-error.js';
import type { RunRegister } from './run-register.js';
import type { RunFrame, RunStart, RunStore } from './run-store.js';
import { isLive, SilenceWatch } from './silence-watch.js';

export interface RunStreamParts {
  readonly runs: Pick<RunStore, 'read' | 'follow'>;
  readonly register: Pick<RunRegister, 'find'>;
  /** What of a run's answer was kept; undefined when nothing was. */
  readonly answerOf: (run: RunStart) => Promise<string | undefined>;
  readonly now: () => Date;
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
  if (!signal.aborted) yield await endFrames(parts, run, last + 1, signal);
}

async function resumedFrame({ runs }: RunStreamParts, run: RunStart, after: number): Promise<RunFrame> {
  const { runId, sessionId, requestId } = run;
  const part = await runs.read(run, after - 1);
  const textLength = part?.frames[0]?.textLength;
  const known = textLength === undefined ? {} : { partialLength: textLength };
  const data = { runId, sessionId, requestId, resumed: true, attempt: 1, ...known };
  return { id: after, event: 'run', data: JSON.stringify(data), textLength: textLength ?? 0 };
}

/**
 * Waits for the end of a run whose log is gone, and tells of it. Who came for an answer that was interrupted is told so,
 * and given the whole of what was kept, since nobody knows how much of it the log had sent. A run that is gone too was
 * deleted with its session.
 */
async function endFrames(parts: RunStreamParts, run: RunStart, id: number, signal: AbortSignal): Promise<RunFrame[]> {
  const { runId, ownerDid, sessionId, requestId } = run;
  let status = (await parts.register.find(ownerDid, runId))?.status ?? 'aborted';
  while (isLive(status) && !signal.aborted) {
    await sleep(parts.lookMs, undefined, { signal }).catch(() => undefined);
    status = (await parts.register.find(ownerDid, runId))?.status ?? 'aborted';
  }
  if (status === 'finished') return framesFrom(id, ['done', { runId, messageId: requestId, status }]);
  const text = await parts.answerOf(run);
  const kept = text === undefined ? {} : { messageId: requestId, partialText: text };
  const done = { runId, ...kept, status, [status]: true };
  if (status !== 'interrupted') return framesFrom(id, ['done', done]);
  const error = { ...interruptedError, sessionId, requestId, timestamp: parts.now().toISOString() };
  return framesFrom(id, ['error', error], ['done', done]);
}

function framesFrom(id: number, ...events: readonly (readonly [RunFrame['event'], object])[]): RunFrame[] {
  return events.map(([event, data], index) => ({ id: id + index, event, data: JSON.stringify(data), textLength: 0 }));
}
