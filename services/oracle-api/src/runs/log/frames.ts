import type { JoinedFrame, RunFrame, RunStart } from './store.js';

/**
 * How long the answer was after each frame of a run. Kept with the run's record when it has ended, it tells how much of the
 * answer a reader has who comes back after the frames themselves are gone.
 */
export class TextMarks {
  /** By frame, 1 the first. */
  readonly #ends: number[] = [];
  #lastTextId = 0;

  /** Of all frames of a log in their order, of which some may stand for several. */
  static of(frames: readonly JoinedFrame[]): TextMarks {
    const marks = new TextMarks();
    for (const { event, lengths = [], textLength, id } of frames) {
      if (event === 'message') for (const length of lengths.slice(0, -1)) marks.add(length);
      // What stands for others without text, as of reasoning, has their ids all the same.
      while (marks.lastId < id - 1) marks.add(0);
      marks.add(textLength - marks.total);
    }
    return marks;
  }

  /** @param text what `toString` gave. */
  static read(text: string): TextMarks {
    const marks = new TextMarks();
    if (text !== '') for (const length of readLengths(text)) marks.add(length);
    return marks;
  }

  /** Takes the next frame, with the characters that it brings to the answer. */
  add(length: number): void {
    this.#ends.push(this.total + length);
    if (length > 0) this.#lastTextId = this.#ends.length;
  }

  /** The same with so many frames behind them that bring no text. */
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

  /** The id of the last frame that brought text, 0 when none did. */
  get lastTextId(): number {
    return this.#lastTextId;
  }

  /** Characters of the answer. */
  get total(): number {
    return this.#ends.at(-1) ?? 0;
  }

  /** Characters of the answer up to and with that frame; all of them for a later one. */
  lengthAt(id: number): number {
    return id <= 0 ? 0 : (this.#ends[id - 1] ?? this.total);
  }

  /** Characters that each of the frames 1 to `upTo` brought. */
  lengths(upTo: number): number[] {
    return this.#ends.slice(0, upTo).map((end, index) => end - (this.#ends[index - 1] ?? 0));
  }

  /** One number a frame, so that half a thousand frames take about a kilobyte. One frame without text is `0`. */
  toString(): string {
    const text = lengthsText(this.lengths(this.lastId));
    return text === '' && this.lastId === 1 ? '0' : text;
  }
}

/** Lengths as a short text: base 36, with a dot between two, and nothing for 0. */
export function lengthsText(lengths: readonly number[]): string {
  return lengths.map((length) => (length === 0 ? '' : length.toString(36))).join('.');
}

export function readLengths(text: string): number[] {
  return text.split('.').map((length) => (length === '' ? 0 : Number.parseInt(length, 36)));
}

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

/** That a run has begun. */
export function firstFrame({ runId, sessionId, requestId }: RunStart): RunFrame {
  return { id: 1, event: 'run', data: JSON.stringify({ runId, sessionId, requestId }), textLength: 0 };
}

/**
 * What is known of the frames 1 to `upTo` of a run when they are lost: that it began, and its text, as one frame. Whoever has some
 * of it is given the rest.
 */
export function replayFrames(run: RunStart, text: string, marks: TextMarks, upTo: number, now: Date): JoinedFrame[] {
  if (upTo < 1) return [];
  const textLength = marks.lengthAt(upTo);
  const begun = firstFrame(run);
  if (upTo === 1) return [begun];
  const data = JSON.stringify({ content: text.slice(0, textLength), timestamp: now.toISOString() });
  return [begun, { id: upTo, event: 'message', data, textLength, lengths: marks.lengths(upTo).slice(1) }];
}
