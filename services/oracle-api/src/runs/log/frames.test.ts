import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstFrame, formatTextEnds, parseTextEnds, replayFrames, textEndsOf, textLengthAt } from './frames.js';
import { fieldsOf, readEntry } from './redis-scripts.js';
import type { RunFrame } from './store.js';

const timestamp = '2026-03-01T08:00:00.123Z';
const run = { runId: 'r', ownerDid: 'o', sessionId: 's', requestId: 'q' };
/** The pieces of an answer, by frame; the first frame has no text. */
const pieces = fc.array(fc.oneof(fc.constant(''), fc.string({ unit: 'binary' })), { maxLength: 30 });
const endsOf = (texts: readonly string[]) => {
  let end = 0;
  return texts.map((text) => {
    end += text.length;
    return end;
  });
};

describe('the text ends of a run', () => {
  it('have the length of the answer after each frame, also in stored form', () => {
    fc.assert(
      fc.property(pieces, (texts) => {
        const ends = endsOf(texts);
        for (const each of [ends, parseTextEnds(formatTextEnds(ends))]) {
          for (let id = 0; id <= texts.length + 2; id++)
            expect(textLengthAt(each, id)).toBe(texts.slice(0, id).join('').length);
        }
      }),
    );
  });

  it('take about a kilobyte for 500 words', () => {
    expect(formatTextEnds(endsOf(Array.from({ length: 500 }, () => 'word ')))).toHaveLength(999);
  });
});

describe('the frames that replace a lost log', () => {
  it('have the missing text for a reader from any frame, and the same text ends', () => {
    fc.assert(
      fc.property(pieces, (texts) => {
        const all = ['', ...texts];
        const ends = endsOf(all);
        const whole = all.join('');
        const frames = replayFrames(run, whole, ends, all.length, new Date(0));
        expect(frames[0]).toEqual(firstFrame(run));
        expect(frames.at(-1)?.id).toBe(all.length);
        for (let after = 0; after <= all.length; after++) {
          const rest = frames.filter(({ id, event }) => id > after && event === 'message');
          const text = rest.map(({ data }) => (JSON.parse(data) as { content: string }).content).join('');
          expect(all.slice(0, after).join('') + text).toBe(whole);
        }
        for (const id of ends.keys()) expect(textLengthAt(textEndsOf(frames), id)).toBe(textLengthAt(ends, id));
      }),
    );
  });
});

describe('a stream entry', () => {
  const stored = (frame: RunFrame) => {
    const [event, data, textLength] = fieldsOf(frame).map(String);
    return readEntry([`${frame.id}-0`, ['e', event ?? '', 'd', data ?? '', 't', textLength ?? '']]);
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
    const [event, compact] = fieldsOf({ id: 1, event: 'message', data, textLength: 5 });
    expect(event.length + compact.length).toBeLessThan((data.length + 'message'.length) / 2);
  });
});
