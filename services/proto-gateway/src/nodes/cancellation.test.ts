import { describe, expect, it } from 'vitest';
import { Cancellation } from './cancellation.js';

describe('a cancellation', () => {
  it('is told once to everyone who still listens', () => {
    const cancellation = new Cancellation();
    const told: string[] = [];
    const leaver = (): void => void told.push('leaver');
    cancellation.addEventListener('abort', () => void told.push('a'));
    cancellation.addEventListener('abort', leaver);
    cancellation.addEventListener('abort', () => void told.push('b'));
    cancellation.removeEventListener('abort', leaver);
    expect(cancellation.aborted).toBe(false);
    cancellation.abort();
    cancellation.abort();
    expect([cancellation.aborted, told]).toEqual([true, ['a', 'b']]);
  });

  it('may be listened to and left while it is told', () => {
    const cancellation = new Cancellation();
    let told = 0;
    const listener = (): void => {
      told += 1;
      cancellation.removeEventListener('abort', listener);
      cancellation.addEventListener('abort', listener);
    };
    cancellation.addEventListener('abort', listener);
    cancellation.abort();
    expect(told).toBe(1);
  });
});
