import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { endOfTurn } from './end-of-turn.js';

describe('the end of a turn', () => {
  it('is one promise for all calls of the turn', async () => {
    const first = endOfTurn();
    await Promise.resolve();
    expect(endOfTurn()).toBe(first);
    await first;
  });

  it('is a later turn for a call after it', async () => {
    const first = endOfTurn();
    await first;
    const second = endOfTurn();
    let isOver = false;
    void second.then(() => {
      isOver = true;
    });
    await Promise.resolve();
    expect(isOver).toBe(false);
    await turn();
    expect(isOver).toBe(true);
  });
});
