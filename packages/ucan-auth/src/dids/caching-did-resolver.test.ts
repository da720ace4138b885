import { describe, expect, it } from 'vitest';
import { cachingDidResolver } from './caching-did-resolver.js';
import type { Taken } from './did-resolver.js';

const DID = 'did:ixo:ixo1alice';

describe('a lookup with an allowance', () => {
  it('takes one unit for concurrent callers of one address', async () => {
    let units = 0;
    const takeAllowance = async (): Promise<Taken> => {
      units += 1;
      return { ok: true };
    };
    let lookUps = 0;
    const resolver = cachingDidResolver('ixo', async () => {
      lookUps += 1;
      return [];
    });
    const lookUp = () => resolver.resolve(DID, { address: '192.0.2.1', takeAllowance });
    const answers = [];
    // One call per microtask, until long after the first has its result.
    for (let turn = 0; turn < 20; turn++) {
      answers.push(lookUp());
      await Promise.resolve();
    }
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ ok: true, keys: [] });
    expect([units, lookUps]).toEqual([1, 1]);
  });

  it('takes another unit after a refusal or a failure', async () => {
    const resolver = cachingDidResolver('ixo', async () => []);
    const resolveWith = (takeAllowance: () => Promise<Taken>) =>
      resolver.resolve(DID, { address: '192.0.2.1', takeAllowance });
    const refused = await resolveWith(async () => ({ ok: false, retryAfterSeconds: 7 }));
    expect(refused).toEqual({ ok: false, code: 'rate_limited', retryAfterSeconds: 7 });
    const failed = await resolveWith(() => Promise.reject(new Error('the store is unavailable')));
    expect(failed).toEqual({ ok: false, code: 'unavailable' });
    expect(await resolveWith(async () => ({ ok: true }))).toMatchObject({ ok: true });
  });
});

describe('concurrent lookups', () => {
  const source = () => {
    const started: string[] = [];
    let answer = (): void => {};
    const answered = new Promise<[]>((resolve) => {
      answer = () => resolve([]);
    });
    const lookUp = (did: string) => {
      started.push(did);
      return answered;
    };
    return { started, answer: () => answer(), lookUp };
  };
  const unavailable = { ok: false, code: 'unavailable' };

  it('are limited to a quarter per address', async () => {
    const { started, answer, lookUp } = source();
    const resolver = cachingDidResolver('ixo', lookUp, { concurrency: 8 });
    const of = (address: string, count: number) =>
      Array.from({ length: count }, (_, index) => resolver.resolve(`${DID}-${address}-${index}`, { address }));
    const [first, second, third] = of('192.0.2.1', 3);
    expect(await third).toEqual(unavailable);
    const other = of('192.0.2.2', 1);
    expect(started).toHaveLength(3);
    answer();
    for (const one of [first, second, ...other]) expect(await one).toMatchObject({ ok: true });
  });

  it('are joined by at most a quarter of the waiting callers per address', async () => {
    const { started, answer, lookUp } = source();
    const resolver = cachingDidResolver('ixo', lookUp, { waitingLimit: 8 });
    const of = (address: string) => resolver.resolve(DID, { address });
    const taken = [of('192.0.2.1'), of('192.0.2.1'), of('192.0.2.1')];
    expect(await of('192.0.2.1')).toEqual(unavailable);
    taken.push(of('192.0.2.2'));
    answer();
    for (const one of await Promise.all(taken)) expect(one).toMatchObject({ ok: true });
    expect(started).toEqual([DID]);
  });
});
