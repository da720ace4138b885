import type { JoinedFrame, RunFrame, RunStart } from './store.js';

/**
 * Length of the answer after each frame of a run. Stored with the record of an ended run, to compute the missing text of a reader that
 * resumes after the frames are deleted.
 */
export class TextMarks {
  /** By frame, starting at 1. */
  readonly #ends: number[] = [];
  #lastTextId = 0;

  /** Marks of all frames of a log in order, including joined ones. */
  static of(frames: readonly JoinedFrame[]): TextMarks {
    const marks = new TextMarks();
    for (const { event, lengths = [], textLength, id } of frames) {
      if (event === 'message') for (const length of lengths.slice(0, -1)) marks.add(length);
      // A joined frame without text, such as reasoning, still covers the ids of its parts.
      while (marks.lastId < id - 1) marks.add(0);
      marks.add(textLength - marks.total);
    }
    return marks;
  }

  /** @param text the output of `toString` */
  static read(text: string): TextMarks {
    const marks = new TextMarks();
    if (text !== '') for (const length of readLengths(text)) marks.add(length);
    return marks;
  }

  /** Adds the next frame, with its characters of the answer. */
  add(length: number): void {
    this.#ends.push(this.total + length);
    if (length > 0) this.#lastTextId = this.#ends.length;
  }

  /** A copy with this many textless frames appended. */
  followedBy(frames: number): TextMarks {
    const marks = new TextMarks();
    for (const end of this.#ends) marks.add(end - marks.total);
    for (let frame = 0; frame < frames; frame++) marks.add(0);
    return marks;
  }

  /** The id of the last frame. */
  get lastId(): number {
    return this.#ends.length;
  }

  /** The id of the last frame with text, 0 without one. */
  get lastTextId(): number {
    return this.#lastTextId;
  }

  /** Characters of the answer. */
  get total(): number {
    return this.#ends.at(-1) ?? 0;
  }

  /** Characters of the answer up to and including that frame; all of them for a later one. */
  lengthAt(id: number): number {
    return id <= 0 ? 0 : (this.#ends[id - 1] ?? this.total);
  }

  /** Characters of each of the frames 1 to `upTo`. */
  lengths(upTo: number): number[] {
    return this.#ends.slice(0, upTo).map((end, index) => end - (this.#ends[index - 1] ?? 0));
  }

  /** One number per frame: 500 frames take about 1 kB. A single frame without text is `0`. */
  toString(): string {
    const text = lengthsText(this.lengths(this.lastId));
    return text === '' && this.lastId === 1 ? '0' : text;
  }
}

/** Lengths as text: base 36, separated by dots, empty for 0. */
export function lengthsText(lengths: readonly number[]): string {
  return lengths.map((length) => (length === 0 ? '' : length.toString(36))).join('.');
}

export function readLengths(text: string): number[] {
  return text.split('.').map((length) => (length === '' ? 0 : Number.parseInt(length, 36)));
}

/** Time after the end before a run's frames are joined, in ms. Most readers have finished by then. */
export const joinAfterMs = 10_000;

/** Characters of one joined frame, so that a slow reader receives a long answer in parts. */
const joinedChars = 8_192;

/** Events with streamed text, and the field that holds it. */
const textFields: Readonly<Record<string, string>> = { message: 'content', reasoning: 'reasoning' };

/** Characters above which a log is not joined: it expires soon, and joining holds all frames in memory. */
const joinedLogChars = 1_048_576;

interface Row {
  readonly first: RunFrame;
  readonly field: string;
  readonly data: Readonly<Record<string, unknown>>;
  text: string;
  readonly lengths: number[];
  last: RunFrame;
}

/** Joins consecutive text frames of a log while it is written. */
export class JoinedFrames {
  readonly #before: JoinedFrame[] = [];
  #row: Row | undefined;
  #chars = 0;

  /** @param data the parsed `data` of the frame */
  add(frame: JoinedFrame, data?: object): void {
    if (this.#chars > joinedLogChars) return;
    const field = frame.lengths === undefined ? textFields[frame.event] : undefined;
    const said = field === undefined ? undefined : ((data ?? JSON.parse(frame.data)) as Record<string, unknown> | null);
    const text = field === undefined ? undefined : said?.[field];
    // The last reasoning event has `isComplete`.
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

  /** Undefined above the size limit. */
  all(): JoinedFrame[] | undefined {
    if (this.#chars > joinedLogChars) return undefined;
    return this.#row === undefined ? [...this.#before] : [...this.#before, joinedRow(this.#row)];
  }

  #closeRow(): void {
    if (this.#row !== undefined) this.#before.push(joinedRow(this.#row));
    this.#row = undefined;
  }
}

/** The log with joined frames; unchanged if it is too large. */
export function joinFrames(frames: readonly JoinedFrame[]): readonly JoinedFrame[] {
  const joined = new JoinedFrames();
  for (const frame of frames) joined.add(frame);
  return joined.all() ?? frames;
}

/** The part of a frame that a reader with all frames up to `after` lacks. `after` is below the frame's id. */
export function restOf(frame: JoinedFrame, after: number): JoinedFrame {
  const { lengths } = frame;
  const seen = lengths === undefined ? 0 : after - (frame.id - lengths.length);
  if (lengths === undefined || seen <= 0) return frame;
  const data = JSON.parse(frame.data) as Record<string, string>;
  const field = textFields[frame.event] ?? '';
  const rest = (data[field] ?? '').slice(sum(lengths.slice(0, seen)));
  return { ...frame, data: JSON.stringify({ ...data, [field]: rest }), lengths: lengths.slice(seen) };
}

/** Characters of the answer up to and including the frame `id`, which is this frame or a part of it. */
export function textLengthIn({ event, lengths = [], id: lastId, textLength }: JoinedFrame, id: number): number {
  return event === 'message' ? textLength - sum(lengths.slice(lengths.length - (lastId - id))) : textLength;
}

/** Has the time of its first frame. */
function joinedRow({ first, field, data, text, lengths, last }: Row): JoinedFrame {
  if (lengths.length === 1) return first;
  const { id, event, textLength } = last;
  return { id, event, data: JSON.stringify({ ...data, [field]: text }), textLength, lengths };
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}

/** The frame that begins a run. */
export function firstFrame({ runId, sessionId, requestId }: RunStart): RunFrame {
  return { id: 1, event: 'run', data: JSON.stringify({ runId, sessionId, requestId }), textLength: 0 };
}

/**
 * Known frames 1 to `upTo` of a lost log: the beginning and the text, as one joined frame. A reader with a part of it receives the rest.
 */
export function replayFrames(run: RunStart, text: string, marks: TextMarks, upTo: number, now: Date): JoinedFrame[] {
  if (upTo < 1) return [];
  const textLength = marks.lengthAt(upTo);
  const begun = firstFrame(run);
  if (upTo === 1) return [begun];
  const data = JSON.stringify({ content: text.slice(0, textLength), timestamp: now.toISOString() });
  return [begun, { id: upTo, event: 'message', data, textLength, lengths: marks.lengths(upTo).slice(1) }];
}
