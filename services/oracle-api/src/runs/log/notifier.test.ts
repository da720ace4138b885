import { describe, expect, it } from 'vitest';
import { Notifier } from './notifier.js';

describe('a wait for word', () => {
  it('does not miss word that came between two waits, and hears it once', async () => {
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

  it('ends with word', async () => {
    const wake = new Notifier(new AbortController().signal);
    const waiting = wake.wait();
    wake.notify();
    expect(await waiting).toBe(true);
  });

  it('ends, now and from then on, when its reader leaves', async () => {
    const left = new AbortController();
    const wake = new Notifier(left.signal);
    const waiting = wake.wait();
    left.abort();
    expect(await waiting).toBe(false);
    expect(await wake.wait()).toBe(false);
  });
});
