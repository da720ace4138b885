import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../streams/run-event.js';
import { RunRecords } from './run-records.js';

function recorded() {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const records = new RunRecords(() => nowMs);
  const sendText = (text: string, afterMs = 0, requestId = 'q') => {
    nowMs += afterMs;
    records.take(requestId, { kind: 'text', text });
  };
  const later = (ms: number) => {
    nowMs += ms;
  };
  return { records, sendText, later, momentsOf: (at = -1) => records.list().at(at)?.moments ?? [] };
}

describe('the record of a run', () => {
  it('records the time of each event and joins text events that follow closely', () => {
    const { records, sendText, later, momentsOf } = recorded();
    records.begin('q', 'Count');
    sendText('1 ', 300);
    sendText('2 ', 60);
    sendText('3 ', 60);
    later(5);
    const usage = { inputTokens: 3, outputTokens: 6, isEstimated: false };
    records.take('q', { kind: 'done', status: 'finished', usage });
    expect(records.list()).toMatchObject([{ requestId: 'q', startedAt: '2026-01-01T00:00:00.000Z', message: 'Count' }]);
    expect(momentsOf()).toEqual([
      { atMs: 300, frames: 2, event: { kind: 'text', text: '1 2 ' } },
      { atMs: 420, frames: 1, event: { kind: 'text', text: '3 ' } },
      { atMs: 425, frames: 1, event: { kind: 'done', status: 'finished', usage } },
    ]);
  });

  it('does not join text with thoughts, nor across other events', () => {
    const { records, sendText, momentsOf } = recorded();
    const thought: RunEvent = { kind: 'reasoning', text: 'Hm', isComplete: false };
    records.take('q', thought);
    records.take('q', { ...thought, text: '.', isComplete: true });
    sendText('a');
    records.take('q', { kind: 'restart' });
    sendText('b');
    expect(momentsOf().map(({ event }) => event)).toEqual([
      { kind: 'reasoning', text: 'Hm.', isComplete: true },
      { kind: 'text', text: 'a' },
      { kind: 'restart' },
      { kind: 'text', text: 'b' },
    ]);
  });

  it('is bounded: the newest ten runs, and after 2,000 moments only longer ones', () => {
    const { records, sendText, momentsOf } = recorded();
    for (let count = 0; count < 2_500; count += 1) sendText('a', 1_000);
    expect(momentsOf()).toHaveLength(2_000);
    expect(momentsOf().at(-1)).toMatchObject({ frames: 501 });
    for (let run = 0; run < 11; run += 1) records.begin(`q${run}`, undefined);
    expect(records.list().map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: 10 }, (_, at) => `q${at + 1}`),
    );
  });

  it('starts over when a message is sent again, and is preserved when the oracle assigns the answer’s id', () => {
    const { records, sendText, momentsOf } = recorded();
    records.begin('q', 'Hi');
    sendText('half');
    records.begin('q', 'Hi');
    expect(momentsOf()).toEqual([]);
    sendText('whole');
    const before = records.list();
    records.rename('q', 'given');
    expect(records.list()).toMatchObject([{ requestId: 'given', message: 'Hi', moments: [{ frames: 1 }] }]);
    expect(before[0]?.requestId).toBe('q');
    records.rename('unknown', 'other');
    expect(records.list()).toHaveLength(1);
  });
});
