import { describe, expect, it } from 'vitest';
import { Notifier } from './notifier.js';

describe('a wait for a notification', () => {
  it('does not miss a notification between two waits, and receives it once', async () => {
    const notifier = new Notifier(new AbortController().signal, 1);
    notifier.notify();
    expect(await notifier.wait()).toBe(true);
    expect(await notifier.wait()).toBe(false);
    expect(await notifier.wait()).toBe(false);
    expect(notifier.quietWaits).toBe(2);
    notifier.notify();
    await notifier.wait();
    expect(notifier.quietWaits).toBe(0);
    notifier.close();
  });

  it('ends with a notification', async () => {
    const notifier = new Notifier(new AbortController().signal);
    const waiting = notifier.wait();
    notifier.notify();
    expect(await waiting).toBe(true);
  });

  it('ends when its reader closes, as does every later wait', async () => {
    const left = new AbortController();
    const notifier = new Notifier(left.signal);
    const waiting = notifier.wait();
    left.abort();
    expect(await waiting).toBe(false);
    expect(await notifier.wait()).toBe(false);
  });
});
