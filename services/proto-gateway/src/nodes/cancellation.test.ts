import { describe, expect, it } from 'vitest';
import { Cancellation } from './cancellation.js';

describe('a cancellation', () => {
  it('signals each current listener once', () => {
    const cancellation = new Cancellation();
    const tracedCall: string[] = [];
    const leaver = (): void => void tracedCall.push('leaver');
    cancellation.addEventListener('abort', () => void tracedCall.push('a'));
    cancellation.addEventListener('abort', leaver);
    cancellation.addEventListener('abort', () => void tracedCall.push('b'));
    cancellation.removeEventListener('abort', leaver);
    expect(cancellation.aborted).toBe(false);
    cancellation.abort();
    cancellation.abort();
    expect([cancellation.aborted, tracedCall]).toEqual([true, ['a', 'b']]);
  });

  it('allows listeners to be added and removed while it is signalled', () => {
    const cancellation = new Cancellation();
    let tracedCall = 0;
    const listener = (): void => {
      tracedCall += 1;
      cancellation.removeEventListener('abort', listener);
      cancellation.addEventListener('abort', listener);
    };
    cancellation.addEventListener('abort', listener);
    cancellation.abort();
    expect(tracedCall).toBe(1);
  });
});
