import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairSemaphore, type Permit, SemaphoreFullError } from './fair-semaphore.js';

const pool = (over: Partial<ConstructorParameters<typeof FairSemaphore<'user' | 'address'>>[0]> = {}) =>
  new FairSemaphore({ name: 'pool', total: 4, shares: { user: 1, address: 2 }, ...over });
const holder = (user: string, address = user) => ({ user, address });
const isPermit = (taken: object): taken is Permit => 'release' in taken;

describe('a fair semaphore', () => {
  it('gives each holder its share and no more, and names the limit', () => {
    const semaphore = pool();
    const first = semaphore.tryAcquire(holder('a', '1'));
    expect(isPermit(first)).toBe(true);
    expect(semaphore.tryAcquire(holder('a', '2'))).toEqual({ full: 'user' });
    expect(isPermit(semaphore.tryAcquire(holder('b', '1')))).toBe(true);
    expect(semaphore.tryAcquire(holder('c', '1'))).toEqual({ full: 'address' });
    for (const one of ['d', 'e']) expect(isPermit(semaphore.tryAcquire(holder(one)))).toBe(true);
    expect(semaphore.tryAcquire(holder('f'))).toEqual({ full: 'total' });
    expect([semaphore.taken, semaphore.total]).toEqual([4, 4]);
    expect([...semaphore.refused]).toEqual([
      ['user', 1],
      ['address', 1],
      ['total', 1],
    ]);
    if (isPermit(first)) for (const _ of [1, 2]) first.release();
    expect(semaphore.taken).toBe(3);
  });

  it('counts units and refuses requests above its capacity', async () => {
    const semaphore = pool({ total: 10, shares: { user: 6, address: 8 }, waiting: { total: 5, perHolder: 5 } });
    const permit = await semaphore.acquire(holder('a', '1'), { units: 6 });
    expect(semaphore.tryAcquire(holder('b', '1'), 3)).toEqual({ full: 'address' });
    await expect(semaphore.acquire(holder('b'), { units: 7 })).rejects.toBeInstanceOf(SemaphoreFullError);
    permit.release();
    expect(isPermit(semaphore.tryAcquire(holder('b', '1'), 3))).toBe(true);
  });

  it('lets a caller below its share pass callers that have reached theirs', async () => {
    const semaphore = pool({ total: 2, waiting: { total: 3, perHolder: 2 } });
    const [a, b] = [await semaphore.acquire(holder('a')), await semaphore.acquire(holder('b'))];
    const order: string[] = [];
    const waits = ['a', 'c'].map((user) => semaphore.run(holder(user), async () => void order.push(user)));
    expect(semaphore.waiting).toBe(2);
    b.release();
    await waits[1];
    expect(order).toEqual(['c']);
    a.release();
    await Promise.all(waits);
    expect([order, semaphore.taken, semaphore.waiting]).toEqual([['c', 'a'], 0, 0]);
  });

  it('does not let small requests pass a large one that waits for the total', async () => {
    const semaphore = pool({ total: 3, shares: { user: 3, address: 3 }, waiting: { total: 3, perHolder: 2 } });
    const held = await semaphore.acquire(holder('a'), { units: 2 });
    const large = semaphore.acquire(holder('b'), { units: 3 });
    expect(semaphore.tryAcquire(holder('c'))).toEqual({ full: 'total' });
    held.release();
    (await large).release();
    expect(isPermit(semaphore.tryAcquire(holder('c')))).toBe(true);
  });

  it('refuses a caller when its queue is full and removes callers that cancel', async () => {
    const semaphore = pool({ total: 1, waiting: { total: 2, perHolder: 1 } });
    const permit = await semaphore.acquire(holder('a'));
    const stop = new AbortController();
    const first = semaphore.acquire(holder('a'), { signal: stop.signal });
    await expect(semaphore.acquire(holder('a'))).rejects.toMatchObject({ limit: 'user' });
    const second = semaphore.acquire(holder('b'));
    await expect(semaphore.acquire(holder('c'))).rejects.toMatchObject({ limit: 'total' });
    stop.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    permit.release();
    (await second).release();
    expect([semaphore.taken, semaphore.waiting]).toEqual([0, 0]);
  });

  it('never exceeds its limits, and takes back every unit, in any order', async () => {
    const step = fc.record({
      user: fc.constantFrom('a', 'b', 'c'),
      address: fc.constantFrom('1', '2'),
      units: fc.integer({ min: 1, max: 3 }),
      drop: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const [total, shares] = [5, { user: 3, address: 4 }];
        const semaphore = pool({ total, shares, waiting: { total: 8, perHolder: 4 } });
        const held: {
          readonly permit: Permit;
          readonly user: string;
          readonly address: string;
          readonly units: number;
        }[] = [];
        const settled: Promise<unknown>[] = [];
        for (const { user, address, units, drop } of steps) {
          const acquired = semaphore.acquire({ user, address }, { units });
          settled.push(
            acquired.then(
              (permit) => held.push({ permit, user, address, units }),
              () => undefined,
            ),
          );
          await Promise.resolve();
          if (drop) held.shift()?.permit.release();
          await Promise.resolve();
          const sum = (of: (one: (typeof held)[number]) => boolean) =>
            held.filter(of).reduce((all, one) => all + one.units, 0);
          expect(sum(() => true)).toBeLessThanOrEqual(total);
          for (const one of ['a', 'b', 'c']) expect(sum((each) => each.user === one)).toBeLessThanOrEqual(shares.user);
          for (const one of ['1', '2']) expect(sum((each) => each.address === one)).toBeLessThanOrEqual(shares.address);
        }
        while (semaphore.taken > 0) {
          held.shift()?.permit.release();
          await Promise.resolve();
        }
        await Promise.all(settled);
        expect([semaphore.taken, semaphore.waiting]).toEqual([0, 0]);
      }),
      { numRuns: 100 },
    );
  });
});
