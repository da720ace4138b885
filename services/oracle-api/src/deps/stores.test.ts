import { describe, expect, it } from 'vitest';
import { type Closers, closeAll } from './stores.js';

describe('closeAll', () => {
  it('closes the rest when a closer fails, in reverse order and each once', async () => {
    const closed: string[] = [];
    const closer = (name: string, failure?: Error) => async () => {
      closed.push(name);
      if (failure !== undefined) throw failure;
    };
    const closers: Closers = [
      closer('database', new Error('second')),
      closer('redis', new Error('first')),
      closer('bus'),
    ];
    await expect(closeAll(closers)).rejects.toThrow('first');
    await expect(closeAll(closers)).resolves.toBeUndefined();
    expect(closed).toEqual(['bus', 'redis', 'database']);
  });
});
