import type { JoinedFrame, RunKey, RunStore } from './run-store.js';

/** All frames of a run that there are. */
export async function readRun(runs: Pick<RunStore, 'read'>, run: RunKey): Promise<JoinedFrame[]> {
  const frames: JoinedFrame[] = [];
  for (;;) {
    const part = await runs.read(run, frames.at(-1)?.id ?? 0);
    if (part === undefined || part.frames.length === 0) return frames;
    frames.push(...part.frames);
  }
}
