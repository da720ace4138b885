import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinFrames, restOf, textLengthIn } from './frames.js';
import { joinedFieldsOf, readEntry } from './redis-scripts.js';
import type { RunFrame } from './store.js';

const timestamp = '2026-03-01T08:00:00.123Z';
const said = fc.oneof(
  fc.string({ unit: 'binary' }).map((content) => ({ event: 'message' as const, data: { content, timestamp } })),
  fc.string().map((reasoning) => ({ event: 'reasoning' as const, data: { reasoning, isComplete: false, timestamp } })),
  fc.constant({ event: 'reasoning' as const, data: { reasoning: '', isComplete: true, timestamp } }),
  fc.string().map((eventId) => ({ event: 'tool_call' as const, data: { eventId, content: 'no text' } })),
  fc.constant({ event: 'message' as const, data: { content: 'x'.repeat(5_000), timestamp } }),
);

function framesOf(events: readonly { event: RunFrame['event']; data: object }[]): RunFrame[] {
  let textLength = 0;
  return events.map(({ event, data }, index) => {
    if (event === 'message' && 'content' in data) textLength += String(data.content).length;
    return { id: index + 1, event, data: JSON.stringify(data), textLength };
  });
}

/** The content of frames for a reader: its texts, and all other events in order. */
function meaning(frames: readonly RunFrame[]) {
  const texts = { message: '', reasoning: '' };
  const others: string[] = [];
  for (const { event, data } of frames) {
    const { content = '', reasoning = '', isComplete } = JSON.parse(data);
    if (event === 'message') texts.message += content;
    if (event === 'reasoning') texts.reasoning += reasoning;
    if ((event !== 'message' && event !== 'reasoning') || isComplete === true) others.push(data);
  }
  return { ...texts, others };
}

describe('a log with joined texts', () => {
  it('has the same content for a reader from any frame, with increasing ids', () => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 30 }), (events) => {
        const frames = framesOf(events);
        const joined = joinFrames(frames);
        expect(joined.length).toBeLessThanOrEqual(frames.length);
        for (let after = 0; after <= frames.length; after++) {
          const rest = joined.filter(({ id }) => id > after).map((frame) => restOf(frame, after));
          expect(meaning(rest)).toEqual(meaning(frames.slice(after)));
          expect(rest.map(({ id }) => id)).toEqual([...new Set(rest.map(({ id }) => id))].toSorted((a, b) => a - b));
        }
        for (const { id, textLength } of frames) {
          const place = joined.find((frame) => frame.id >= id);
          expect(place && textLengthIn(place, id)).toBe(textLength);
        }
      }),
    );
  });

  it('has one frame for a short text, and several for a long one', () => {
    const words = (count: number) =>
      framesOf(Array.from({ length: count }, () => ({ event: 'message', data: { content: 'word ', timestamp } })));
    expect(joinFrames(words(500))).toMatchObject([{ id: 500, textLength: 2_500 }]);
    const long = joinFrames(words(10_000));
    expect(long.length).toBe(7);
    expect(Math.max(...long.map(({ data }) => data.length))).toBeLessThan(9_000);
  });
});

describe('a stream entry', () => {
  const stored = (frame: RunFrame) => {
    const [event, data, textLength, lengths] = joinedFieldsOf(frame).map(String);
    const named = ['e', event ?? '', 'd', data ?? '', 't', textLength ?? ''];
    return readEntry([`${frame.id}-0`, lengths === '' ? named : [...named, 'l', lengths ?? '']]);
  };

  it('is read as it was written, with any content', () => {
    const odd = fc.string({ unit: 'binary' });
    const times = fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      odd,
    );
    fc.assert(
      fc.property(odd, times, odd, (content, at, more) => {
        for (const data of [{ content, timestamp: at }, { content, more, timestamp: at }, { content }, content]) {
          const frame: RunFrame = { id: 7, event: 'message', data: JSON.stringify(data), textLength: 3 };
          expect(stored(frame)).toEqual(frame);
          const joined = { ...frame, lengths: [0, 35, 36, 0] };
          expect(stored(joined)).toEqual(joined);
        }
      }),
    );
    const leap: RunFrame = {
      id: 1,
      event: 'message',
      data: '{"content":"x","timestamp":"2026-02-30T00:00:00.000Z"}',
      textLength: 1,
    };
    expect(stored(leap)).toEqual(leap);
  });

  it('takes half of the memory for a text delta', () => {
    const data = JSON.stringify({ content: 'word ', timestamp });
    const [event, kept] = joinedFieldsOf({ id: 1, event: 'message', data, textLength: 5 });
    expect(String(event).length + String(kept).length).toBeLessThan((data.length + 'message'.length) / 2);
  });
});
