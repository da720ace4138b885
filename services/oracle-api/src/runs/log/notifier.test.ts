import { describe, expect, it } from 'vitest';
import { Notifier } from './notifier.js';

describe('a wait for a notification', () => {
  it('does not miss a notification between two waits, and receives it once', async () => {
    const wake = new Notifier(new AbortController().signal, 1);
    wake.notify();
    expect(await wake.wait()).toBe(true);
    expect(await wake.wait()).toBe(false);
    expect(await wake.wait()).toBe(false);
    expect(wake.quietWaits).toBe(2);
    wake.notify();
    await wake.wait();
    expect(wake.quietWaits).toBe(0);
    wake.close();
  });

  it('ends with a notification', async () => {
    const wake = new Notifier(new AbortController().signal);
    const waiting = wake.wait();
    wake.notify();
    expect(await waiting).toBe(true);
  });

  it('ends when its reader closes, as does every later wait', async () => {
    const left = new AbortController();
    const wake = new Notifier(left.signal);
    const waiting = wake.wait();
    left.abort();
    expect(await waiting).toBe(false);
    expect(await wake.wait()).toBe(false);
  });
});
