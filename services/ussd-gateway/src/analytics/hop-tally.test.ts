import { expect, it } from 'vitest';
import { HopTally } from './hop-recorder.js';

it('is bounded, and counts dropped counts', () => {
  const tally = new HopTally({ maxFields: 50 });
  for (let hop = 0; hop < 1000; hop++) {
    const screen = `screen${hop}`;
    const shown = { flow: { id: 'f', version: 1 }, screen, from: '', sinceMs: hop };
    const dial = { outcome: 'dialled', answerMs: 1, left: undefined, ended: false, isVisit: true } as const;
    tally.count({ flow: 'f', screen, shown, ...dial }, hop);
  }
  const counts = tally.take().get(0);
  expect(counts?.size).toBeLessThanOrEqual(51);
  expect(counts?.get('uncounted')).toBeGreaterThan(900);
  expect(tally.take().size).toBe(0);
});
