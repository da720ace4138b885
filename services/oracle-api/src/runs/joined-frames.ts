import type { JoinedFrame, RunFrame } from './run-store.js';

/** How long after its end a run is left as it was written, unless told otherwise: most who follow it have read it then. */
export const joinAfterMs = 10_000;

/** Characters of one joined frame, so that a slow reader is given a long answer in parts. */
const joinedChars = 8_192;

/** The events that bring text bit by bit, and where it stands in them. */
const textFields: Readonly<Record<string, string>> = { message: 'content', reasoning: 'reasoning' };

interface Row {
  readonly first: RunFrame;
  readonly field: string;
  readonly data: Record<string, unknown>;
  text: string;
  lengths: number[];
  last: RunFrame;
}

/** The same log in fewer frames: text that came in a row is joined. */
export function joinFrames(frames: readonly RunFrame[]): JoinedFrame[] {
  const joined: JoinedFrame[] = [];
  let row: Row | undefined;
  for (const frame of frames) {
    const next = rowOf(frame);
    if (row !== undefined && next !== undefined && fits(row, next)) {
      row.text += next.text;
      row.lengths.push(next.text.length);
      row.last = frame;
      continue;
    }
    if (row !== undefined) joined.push(joinedRow(row));
    row = next;
    if (next === undefined) joined.push(frame);
  }
  if (row !== undefined) joined.push(joinedRow(row));
  return joined;
}

/** What a reader lacks of a frame who has everything up to and with the frame `after`, which is before its id. */
export function restOf({ lengths, ...frame }: JoinedFrame, after: number): RunFrame {
  const seen = lengths === undefined ? 0 : after - (frame.id - lengths.length);
  if (lengths === undefined || seen <= 0) return frame;
  const data = JSON.parse(frame.data) as Record<string, string>;
  const field = textFields[frame.event] ?? '';
  const rest = (data[field] ?? '').slice(sum(lengths.slice(0, seen)));
  return { ...frame, data: JSON.stringify({ ...data, [field]: rest }) };
}

/** Characters of the answer up to and with the frame `id`, which this frame is or stands for. */
export function textLengthIn({ event, lengths = [], id: lastId, textLength }: JoinedFrame, id: number): number {
  return event === 'message' ? textLength - sum(lengths.slice(lengths.length - (lastId - id))) : textLength;
}

function rowOf(frame: RunFrame): Row | undefined {
  const field = textFields[frame.event];
  if (field === undefined) return undefined;
  const data: unknown = JSON.parse(frame.data);
  if (typeof data !== 'object' || data === null || !(field in data)) return undefined;
  const text = (data as Record<string, unknown>)[field];
  // The last of the reasoning says that it is over.
  if (typeof text !== 'string' || ('isComplete' in data && data.isComplete === true)) return undefined;
  return { first: frame, field, data: { ...data }, text, lengths: [text.length], last: frame };
}

function fits(row: Row, { field, text }: Row): boolean {
  return row.field === field && row.text.length + text.length <= joinedChars;
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
