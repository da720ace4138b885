import type { JoinedFrame, RunFrame } from './run-store.js';

/** How long after its end a run is left as it was written, unless told otherwise: most who follow it have read it then. */
export const joinAfterMs = 10_000;

/** Characters of one joined frame, so that a slow reader is given a long answer in parts. */
const joinedChars = 8_192;

/** The events that bring text bit by bit, and where it stands in them. */
const textFields: Readonly<Record<string, string>> = { message: 'content', reasoning: 'reasoning' };

/** Characters of a log above which its frames are left as they are: they go soon, and having them all takes memory. */
const joinedLogChars = 1_048_576;

interface Row {
  readonly first: RunFrame;
  readonly field: string;
  readonly data: Readonly<Record<string, unknown>>;
  text: string;
  readonly lengths: number[];
  last: RunFrame;
}

/** The frames of a log as they are written, in fewer: text that comes in a row is joined. */
export class JoinedFrames {
  readonly #before: JoinedFrame[] = [];
  #row: Row | undefined;
  #chars = 0;

  /** @param data what the frame's own `data` says. */
  add(frame: JoinedFrame, data?: object): void {
    if (this.#chars > joinedLogChars) return;
    const field = frame.lengths === undefined ? textFields[frame.event] : undefined;
    const said = field === undefined ? undefined : ((data ?? JSON.parse(frame.data)) as Record<string, unknown> | null);
    const text = field === undefined ? undefined : said?.[field];
    // The last of the reasoning says that it is over.
    if (field === undefined || !said || typeof text !== 'string' || said['isComplete'] === true) {
      this.#chars += frame.data.length;
      this.#closeRow();
      this.#before.push(frame);
      return;
    }
    this.#chars += text.length;
    const row = this.#row;
    if (row !== undefined && row.field === field && row.text.length + text.length <= joinedChars) {
      row.text += text;
      row.lengths.push(text.length);
      row.last = frame;
      return;
    }
    this.#closeRow();
    this.#row = { first: frame, field, data: said, text, lengths: [text.length], last: frame };
  }

  /** Undefined where they are too many. */
  all(): JoinedFrame[] | undefined {
    if (this.#chars > joinedLogChars) return undefined;
    return this.#row === undefined ? [...this.#before] : [...this.#before, joinedRow(this.#row)];
  }

  #closeRow(): void {
    if (this.#row !== undefined) this.#before.push(joinedRow(this.#row));
    this.#row = undefined;
  }
}

/** The same log in fewer frames, as it is where that is too long. */
export function joinFrames(frames: readonly JoinedFrame[]): readonly JoinedFrame[] {
  const joined = new JoinedFrames();
  for (const frame of frames) joined.add(frame);
  return joined.all() ?? frames;
}

/** What a reader lacks of a frame who has everything up to and with the frame `after`, which is before its id. */
export function restOf(frame: JoinedFrame, after: number): JoinedFrame {
  const { lengths } = frame;
  const seen = lengths === undefined ? 0 : after - (frame.id - lengths.length);
  if (lengths === undefined || seen <= 0) return frame;
  const data = JSON.parse(frame.data) as Record<string, string>;
  const field = textFields[frame.event] ?? '';
  const rest = (data[field] ?? '').slice(sum(lengths.slice(0, seen)));
  return { ...frame, data: JSON.stringify({ ...data, [field]: rest }), lengths: lengths.slice(seen) };
}

/** Characters of the answer up to and with the frame `id`, which this frame is or stands for. */
export function textLengthIn({ event, lengths = [], id: lastId, textLength }: JoinedFrame, id: number): number {
  return event === 'message' ? textLength - sum(lengths.slice(lengths.length - (lastId - id))) : textLength;
}

/** It carries the time of its first frame. */
function joinedRow({ first, field, data, text, lengths, last }: Row): JoinedFrame {
  if (lengths.length === 1) return first;
  const { id, event, textLength } = last;
  return { id, event, data: JSON.stringify({ ...data, [field]: text }), textLength, lengths };
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}
