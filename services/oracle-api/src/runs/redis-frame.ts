import type { KeptEvent } from './kept-event.js';
import { lengthsText, readLengths } from './lengths-text.js';
import type { JoinedFrame, RunFrame } from './run-store.js';

/** How the many small frames of a text are kept: the time in base 36, a blank, and the text as JSON. */
const textEvent = 'm';
const [beforeText, afterText, afterTime] = ['{"content":', ',"timestamp":"', '"}'];
const timeLength = '2026-01-01T00:00:00.000Z'.length;

/** Event, data and text length, as an entry of a stream has them. */
export type FrameFields = readonly [event: string, data: string, textLength: number];

export function fieldsOf({ event, data, textLength }: RunFrame): FrameFields {
  const timeAt = data.length - afterTime.length - timeLength;
  const timestamp = event === 'message' && data.endsWith(afterTime) ? data.slice(timeAt, -afterTime.length) : '';
  const ms = Date.parse(timestamp);
  // A day that no month has comes back as another.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== timestamp) return [event, data, textLength];
  const textEnd = timeAt - afterText.length;
  if (!data.startsWith(beforeText) || !data.startsWith(afterText, textEnd)) return [event, data, textLength];
  return [textEvent, `${ms.toString(36)} ${data.slice(beforeText.length, textEnd)}`, textLength];
}

/** The same and, for a frame that stands for several, their lengths. */
export function joinedFieldsOf(frame: JoinedFrame): readonly (string | number)[] {
  const { lengths } = frame;
  return [...fieldsOf(frame), lengths === undefined ? '' : lengthsText(lengths)];
}

/** Reads an entry: its id, and its fields with their names. */
export function readEntry([id, fields]: readonly [string, readonly string[]]): JoinedFrame {
  const [, event = '', , data = '', , textLength = '', , lengths] = fields;
  const frame = { id: Number.parseInt(id, 10), ...eventOf(event, data), textLength: Number(textLength) };
  return lengths === undefined ? frame : { ...frame, lengths: readLengths(lengths) };
}

function eventOf(event: string, data: string): { event: KeptEvent['event']; data: string } {
  if (event !== textEvent) return { event: event as KeptEvent['event'], data };
  const blank = data.indexOf(' ');
  const timestamp = new Date(Number.parseInt(data.slice(0, blank), 36)).toISOString();
  return { event: 'message', data: `{"content":${data.slice(blank + 1)},"timestamp":"${timestamp}"}` };
}
