import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchLookUps } from './sql-callers.js';

/** A store with even numbers, which records its calls. */
function evenStore() {
  const asked: (readonly number[])[] = [];
  let atOnce = 0;
  const lookUp = async (keys: readonly number[]) => {
    atOnce += 1;
    expect(atOnce).toBe(1);
    asked.push(keys);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    atOnce -= 1;
    return new Map(keys.filter((key) => key % 2 === 0).map((key) => [key, `even ${key}`]));
  };
  return { asked, lookUp };
}

describe('batched lookups', () => {
  it('of one turn are one, each key once', async () => {
    const { asked, lookUp } = evenStore();
    const find = batchLookUps(lookUp, 100);
    expect(await Promise.all([1, 2, 2, 4].map(find))).toEqual([undefined, 'even 2', 'even 2', 'even 4']);
    expect(asked).toEqual([[1, 2, 4]]);
  });

  it('return to each caller its own value, one lookup at a time within its size, for any timing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.nat(50), { maxLength: 20 }), { maxLength: 6 }), async (turns) => {
        const { asked, lookUp } = evenStore();
        const find = batchLookUps(lookUp, 7);
        const answers: Promise<void>[] = [];
        for (const keys of turns) {
          for (const key of keys) {
            answers.push(find(key).then((value) => expect(value).toBe(key % 2 === 0 ? `even ${key}` : undefined)));
          }
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
        }
        await Promise.all(answers);
        expect(Math.max(0, ...asked.map((keys) => keys.length))).toBeLessThanOrEqual(7);
      }),
    );
  });

  it('fail for the callers of that batch only', async () => {
    let works = false;
    const find = batchLookUps(async (keys: readonly string[]) => {
      if (!works) throw new Error('away');
      return new Map(keys.map((key) => [key, key]));
    }, 10);
    await expect(find('a')).rejects.toThrow('away');
    works = true;
    expect(await find('a')).toBe('a');
  });
});
