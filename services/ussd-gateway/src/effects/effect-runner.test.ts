import { keyringOf } from '@mlango/crypto/keyring';
import { createLogger } from '@mlango/service-kit/logging';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyDatabase } from '../../test/support/embedded-database.js';
import { type EffectRequest, type RunEffect, UnusableRequest } from './effect.js';
import { EffectRunner, type EffectToRun } from './effect-runner.js';
import { EffectStore } from './effect-store.js';
import { inputSeal } from './sealed-input.js';

const keyring = keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 3) }]);
const paid = { result: 'paid', facts: { reference: 'R-1' } };
const waitMs = 4000;

function asked(key = 'key-1'): EffectToRun {
  const subscriber = { aggregator: 'canonical', phoneNumber: '+260971230567', serviceCode: '*384#' };
  const position = { state: 'amount', language: 'en', choices: {}, page: 0 };
  const request: EffectRequest = {
    effect: 'pay',
    key,
    phoneNumber: subscriber.phoneNumber,
    service: 'default',
    language: 'en',
    account: 'C00000001',
    entries: { amount: '250' },
    with: { to: 'shop' },
    secret: '48291',
  };
  return { subscriber, place: { flow: { id: 'f', version: 1 }, nonce: 'n', position, by: 'entry' }, request };
}

describe('an effect', () => {
  let store: EffectStore;
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'trace', destination: { write: (line) => lines.push(line) } });
  const replica = (pay: RunEffect) => new EffectRunner({ store, effects: { pay }, seal: inputSeal(keyring), logger });
  const after =
    (ms: number): RunEffect =>
    () =>
      new Promise((resolve) => setTimeout(resolve, ms, paid));
  /** The result of a promise once fake time has advanced. */
  const within = async <Value>(ms: number, coming: Promise<Value>): Promise<Value> => {
    await vi.advanceTimersByTimeAsync(ms);
    return coming;
  };

  beforeEach(async () => {
    store = new EffectStore(await emptyDatabase());
    vi.useFakeTimers();
    lines.length = 0;
  });
  afterEach(() => vi.useRealTimers());

  it('receives its key and its input, and returns its outcome', async () => {
    const seen: EffectRequest[] = [];
    const effectRunner = replica(async (request) => {
      seen.push(request);
      return paid;
    });
    expect(await effectRunner.act(asked(), waitMs)).toMatchObject({ key: 'key-1', outcome: paid });
    expect(seen).toEqual([asked().request]);
  });

  it('runs once for two equal requests, concurrent or later, in two processes', async () => {
    let runs = 0;
    const pay: RunEffect = async () => {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return paid;
    };
    const [one, other] = [replica(pay), replica(pay)];
    const both = Promise.all([one.act(asked(), waitMs), one.act(asked(), waitMs), other.act(asked(), waitMs)]);
    const outcomes = (await within(5000, both)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual([paid, paid, paid]);
    expect(runs).toBe(1);
  });

  it('that is slow continues in the background, and its outcome is available later', async () => {
    const effectRunner = replica(after(30_000));
    expect(await within(waitMs, effectRunner.act(asked(), waitMs))).toMatchObject({ outcome: undefined });
    expect(await within(waitMs, effectRunner.poll('key-1', waitMs))).toMatchObject({ outcome: undefined });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await effectRunner.poll('key-1', waitMs)).toMatchObject({ outcome: paid });
  });

  it('that throws is retried with the same key and input until it has an outcome', async () => {
    const seen: EffectRequest[] = [];
    const effectRunner = replica(async (request) => {
      seen.push(request);
      if (seen.length < 3) throw new Error('no answer');
      return paid;
    });
    expect(await effectRunner.act(asked(), waitMs)).toMatchObject({ outcome: undefined });
    for (let look = 0; look < 10; look++) {
      await vi.advanceTimersByTimeAsync(1000);
      await effectRunner.resumeDue(10);
    }
    expect(await effectRunner.poll('key-1', waitMs)).toMatchObject({ outcome: paid });
    expect(seen).toEqual([asked().request, asked().request, asked().request]);
    expect(lines.join('')).toContain('will retry with the same key');
    expect(lines.join('')).not.toMatch(/48291|260971230567/);
  });

  it('that is pending is polled at once by a hop, else when it is due', async () => {
    let asks = 0;
    const effectRunner = replica(async () => (++asks < 3 ? { pending: true, retryInMs: 60_000 } : paid));
    expect(await effectRunner.act(asked(), waitMs)).toMatchObject({ outcome: undefined });
    expect(await effectRunner.poll('key-1', waitMs)).toMatchObject({ outcome: undefined });
    await effectRunner.resumeDue(10);
    expect(asks).toBe(2);
    await vi.advanceTimersByTimeAsync(60_001);
    await effectRunner.resumeDue(10);
    expect(await effectRunner.poll('key-1', waitMs)).toMatchObject({ outcome: paid });
  });

  it('of a dead process is run by another one only after its lease expired', async () => {
    let runs = 0;
    // A dead process renews no lease.
    store.renew = async () => false;
    const dead = replica(() => new Promise(() => {}));
    await within(1000, dead.act(asked(), 1000));
    const other = replica(async () => {
      runs += 1;
      return paid;
    });
    expect(await within(1000, other.poll('key-1', 1000))).toMatchObject({ outcome: undefined });
    expect(await within(waitMs, other.poll('key-1', waitMs))).toMatchObject({ outcome: paid });
    expect(runs).toBe(1);
  });

  it('retries storing its outcome', async () => {
    const effectRunner = replica(async () => paid);
    const settle = store.settle.bind(store);
    let away = 3;
    store.settle = async (...args) => (away-- > 0 ? Promise.reject(new Error('away')) : settle(...args));
    expect(await within(5000, effectRunner.act(asked(), waitMs))).toMatchObject({ outcome: paid });
  });

  it('does not happen if its effect cannot be stored', async () => {
    let runs = 0;
    const effectRunner = replica(async () => {
      runs += 1;
      return paid;
    });
    store.begin = async () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    await expect(effectRunner.act(asked(), waitMs)).rejects.toThrow('away');
    expect(runs).toBe(0);
  });

  it('whose request lacks an input is abandoned at once and not retried', async () => {
    let runs = 0;
    const effectRunner = replica(async () => {
      runs += 1;
      throw new UnusableRequest('effect pay needs a secret');
    });
    await effectRunner.act(asked(), waitMs);
    vi.setSystemTime(Date.now() + 3_600_000);
    await effectRunner.resumeDue(10);
    await effectRunner.idle();
    expect(runs).toBe(1);
    expect(lines.join('')).toContain('effect abandoned');
    expect(lines.join('')).not.toContain('will retry');
  });

  it('with an unknown result for a day is abandoned and logged', async () => {
    const effectRunner = replica(async () => Promise.reject(new Error('never')));
    await effectRunner.act(asked(), waitMs);
    // Only the clock moves: no timer of this process fires for a day.
    vi.setSystemTime(Date.now() + 25 * 3_600_000);
    await effectRunner.resumeDue(10);
    await effectRunner.idle();
    expect(lines.join('')).toContain('effect abandoned');
    expect(await effectRunner.act(asked('key-2'), waitMs)).toMatchObject({ key: 'key-2' });
  });
});
