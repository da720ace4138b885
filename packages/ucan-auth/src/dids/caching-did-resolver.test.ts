import { describe, expect, it } from 'vitest';
import { cachingDidResolver } from './caching-did-resolver.js';
import type { Taken } from './did-resolver.js';

const DID = 'did:ixo:ixo1alice';

describe('a look-up that has to be paid for', () => {
  it('is paid once by those of one address who want it, whenever they come before it has begun', async () => {
    let payments = 0;
    const takeAllowance = async (): Promise<Taken> => {
      payments += 1;
      return { ok: true };
    };
    let lookUps = 0;
    const resolver = cachingDidResolver('ixo', async () => {
      lookUps += 1;
      return [];
    });
    const ask = () => resolver.resolve(DID, { address: '192.0.2.1', takeAllowance });
    const answers = [];
    // One asks in each turn of promises, until long after the first has its answer.
    for (let turn = 0; turn < 20; turn++) {
      answers.push(ask());
      await Promise.resolve();
    }
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ ok: true, keys: [] });
    expect([payments, lookUps]).toEqual([1, 1]);
  });

  it('is paid anew after it was refused or could not be paid', async () => {
    const resolver = cachingDidResolver('ixo', async () => []);
    const payingWith = (takeAllowance: () => Promise<Taken>) =>
      resolver.resolve(DID, { address: '192.0.2.1', takeAllowance });
    const refused = await payingWith(async () => ({ ok: false, retryAfterSeconds: 7 }));
    expect(refused).toEqual({ ok: false, code: 'rate_limited', retryAfterSeconds: 7 });
    const unpaid = await payingWith(() => Promise.reject(new Error('the store is away')));
    expect(unpaid).toEqual({ ok: false, code: 'unavailable' });
    expect(await payingWith(async () => ({ ok: true }))).toMatchObject({ ok: true });
  });
});

describe('look-ups at once', () => {
  const source = () => {
    const begun: string[] = [];
    let answer = (): void => {};
    const answered = new Promise<[]>((resolve) => {
      answer = () => resolve([]);
    });
    const ask = (did: string) => {
      begun.push(did);
      return answered;
    };
    return { begun, answer: () => answer(), ask };
  };
  const unavailable = { ok: false, code: 'unavailable' };

  it('are a quarter of one address, and leave other addresses theirs', async () => {
    const { begun, answer, ask } = source();
    const resolver = cachingDidResolver('ixo', ask, { concurrency: 8 });
    const of = (address: string, count: number) =>
      Array.from({ length: count }, (_, index) => resolver.resolve(`${DID}-${address}-${index}`, { address }));
    const [first, second, third] = of('192.0.2.1', 3);
    expect(await third).toEqual(unavailable);
    const other = of('192.0.2.2', 1);
    expect(begun).toHaveLength(3);
    answer();
    for (const one of [first, second, ...other]) expect(await one).toMatchObject({ ok: true });
  });

  it('are waited for by a quarter of the callers of one address, and by those of others', async () => {
    const { begun, answer, ask } = source();
    const resolver = cachingDidResolver('ixo', ask, { waitingLimit: 8 });
    const of = (address: string) => resolver.resolve(DID, { address });
    const taken = [of('192.0.2.1'), of('192.0.2.1'), of('192.0.2.1')];
    expect(await of('192.0.2.1')).toEqual(unavailable);
    taken.push(of('192.0.2.2'));
    answer();
    for (const one of await Promise.all(taken)) expect(one).toMatchObject({ ok: true });
    expect(begun).toEqual([DID]);
  });
});
