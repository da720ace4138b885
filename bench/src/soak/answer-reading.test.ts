import { describe, expect, it } from 'vitest';
import { AnswerReading, framesIn } from './answer-reading.js';

const frame = (id: number, event: string, data: object) => ({ id, event, data: data as Record<string, unknown> });
const said = (id: number, content: string) => frame(id, 'message', { content });

describe('an answer that is read', () => {
  it('is made of whole frames: what was cut is left, and comments are none', () => {
    const text = 'id: 1\nevent: run\ndata: {"runId":"r"}\n\n: heartbeat\n\nid: 2\nevent: message\ndata: {"con';
    expect(framesIn(text)).toEqual({
      frames: [frame(1, 'run', { runId: 'r' })],
      rest: 'id: 2\nevent: message\ndata: {"con',
    });
  });

  it('goes on where it was cut, and knows how it ended', () => {
    const reading = new AnswerReading();
    reading.take([frame(1, 'run', { runId: 'r' }), said(2, 'one')]);
    const resumed = frame(2, 'run', { runId: 'r', resumed: true, partialLength: 3 });
    expect(reading.take([resumed, said(3, ' two'), frame(4, 'done', { status: 'finished' })])).toBe('goes on');
    expect(reading).toMatchObject({ runId: 'r', text: 'one two', status: 'finished', restarts: 0, faults: [] });
  });

  it('begins again where the server has another length in mind', () => {
    const reading = new AnswerReading();
    reading.take([frame(1, 'run', { runId: 'r' }), said(2, 'one')]);
    expect(reading.take([frame(2, 'run', { resumed: true, partialLength: 9 })])).toBe('begins again');
    expect(reading).toMatchObject({ text: '', lastId: 0, restarts: 1 });
  });

  it('sees a frame that comes twice, and one that comes after the end', () => {
    const reading = new AnswerReading();
    reading.take([said(2, 'one'), said(2, 'one'), frame(3, 'done', { status: 'finished' }), said(4, 'more')]);
    expect(reading.faults).toEqual(['frame 2 after 2', 'message after done']);
  });
});
