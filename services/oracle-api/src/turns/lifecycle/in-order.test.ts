import { describe, expect, it } from 'vitest';
import { gate } from '../../models/scripted-model.fixture.js';
import { inOrder } from './in-order.js';

describe('work in order', () => {
  it('is done at once where nothing has to be waited for, and one after the other where it has', async () => {
    const done: string[] = [];
    const slow = gate();
    const run = inOrder((name: string) => {
      if (name === 'slow') return slow.opened.then(() => void done.push(name));
      done.push(name);
      return undefined;
    });
    void run('a');
    expect(done).toEqual(['a']);
    const all = [run('slow'), run('b'), run('c')].map((work) => Promise.resolve(work));
    expect(done).toEqual(['a']);
    slow.open();
    await Promise.all(all);
    expect(done).toEqual(['a', 'slow', 'b', 'c']);
    void run('d');
    await Promise.resolve(run('e'));
    expect(done.slice(-2)).toEqual(['d', 'e']);
  });

  it('goes on after work that failed, of which only its caller hears', async () => {
    const run = inOrder((name: string) => (name === 'bad' ? Promise.reject(new Error('bad')) : Promise.resolve()));
    const failed = expect(run('bad')).rejects.toThrow('bad');
    await expect(run('good')).resolves.toBeUndefined();
    await failed;
  });
});
