import type { LoggedEvent, RunFrame, RunStart } from './store.js';

/**
 * Characters of the answer after each of the frames 1, 2, 3, … of a run. A reader resumes from the id of a frame: without the frames,
 * this is the position of that id in the answer.
 */
export type TextEnds = readonly number[];

/** The text ends of the frames of a log. A missing frame has no text. */
export function textEndsOf(frames: readonly RunFrame[]): number[] {
  const ends: number[] = [];
  for (const { id, textLength } of frames) {
    while (ends.length < id - 1) ends.push(ends.at(-1) ?? 0);
    ends.push(textLength);
  }
  return ends;
}

/** The text ends of a log after further events. */
export function textEndsAfter(ends: TextEnds, events: readonly LoggedEvent[]): number[] {
  const after = [...ends];
  for (const { event, data } of events) {
    after.push((after.at(-1) ?? 0) + (event === 'message' ? data.content.length : 0));
  }
  return after;
}

/** Characters of the answer up to and including that frame; all of them for a later one. */
export function textLengthAt(ends: TextEnds, id: number): number {
  return id <= 0 ? 0 : (ends[id - 1] ?? ends.at(-1) ?? 0);
}

/** The stored form of text ends: the characters of each frame in base 36, separated by dots, empty for 0. */
export function formatTextEnds(ends: TextEnds): string {
  return ends.map((end, index) => (end - (ends[index - 1] ?? 0)).toString(36).replace(/^0$/, '')).join('.');
}

/** @param stored the output of `formatTextEnds` */
export function parseTextEnds(stored: string): number[] {
  let end = 0;
  return stored.split('.').map((length) => {
    end += length === '' ? 0 : Number.parseInt(length, 36);
    return end;
  });
}

/** The frame that begins a run. */
export function firstFrame(run: RunStart): RunFrame {
  return { id: 1, ...runFrame(run), textLength: 0 };
}

function runFrame({ runId, sessionId, requestId }: RunStart, more: { resumed?: true; partialLength?: number } = {}) {
  return { event: 'run' as const, data: JSON.stringify({ runId, sessionId, requestId, ...more }) };
}

/** The frames 1 to `upTo` of a missing log, as far as the writer knows them: the first one, each one with text, and the last one. */
export function replayFrames(run: RunStart, text: string, ends: TextEnds, upTo: number, now: Date): RunFrame[] {
  if (upTo < 1) return [];
  const timestamp = now.toISOString();
  const frames = [firstFrame(run)];
  for (let id = 2; id <= upTo; id++) {
    const [start, textLength] = [textLengthAt(ends, id - 1), textLengthAt(ends, id)];
    if (textLength === start) continue;
    const data = JSON.stringify({ content: text.slice(start, textLength), timestamp });
    frames.push({ id, event: 'message', data, textLength });
  }
  // The next frame follows this one without a gap.
  const partialLength = textLengthAt(ends, upTo);
  if (frames.at(-1)?.id !== upTo)
    frames.push({ ...runFrame(run, { resumed: true, partialLength }), id: upTo, textLength: partialLength });
  return frames;
}
