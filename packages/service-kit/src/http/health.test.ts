import { describe, expect, it } from 'vitest';
import { Readiness } from './health.js';

const up = async () => {};
const down = async (): Promise<never> => {
  throw new Error('no');
};
const hung = () => new Promise<void>(() => {});

describe('Readiness', () => {
  it('is ready when every check passes', async () => {
    expect(await new Readiness({ a: up, b: up }).check()).toEqual({
      ready: true,
      draining: false,
      checks: { a: 'up', b: 'up' },
      facts: {},
    });
  });

  it.each([
    ['fails', down],
    [
      'throws at once',
      () => {
        throw new Error('sync');
      },
    ],
    ['hangs', hung],
  ])('is not ready when a check %s', async (_name, check) => {
    const report = await new Readiness({ good: up, bad: check }, { timeoutMs: 20 }).check();
    expect(report).toMatchObject({ ready: false, checks: { good: 'up', bad: 'down' } });
  });

  it('reports the details of back ends, and omits those that fail to answer', async () => {
    const node = async () => ({ height: '7', secondsSinceLastBlock: 3 });
    const facts = { node, mute: down, slow: () => new Promise<never>(() => {}) };
    const readiness = new Readiness({ a: up }, { timeoutMs: 20, facts });
    expect(await readiness.check()).toMatchObject({
      ready: true,
      facts: { node: { height: '7', secondsSinceLastBlock: 3 } },
    });
  });

  it('is not ready while draining, even if every check passes', async () => {
    const readiness = new Readiness({ a: up });
    readiness.startDraining();
    expect(await readiness.check()).toEqual({ ready: false, draining: true, checks: { a: 'up' }, facts: {} });
  });

  it('shares one round among simultaneous requests, and starts a new one afterwards', async () => {
    let rounds = 0;
    const readiness = new Readiness({
      a: async () => {
        rounds += 1;
      },
    });
    await Promise.all([readiness.check(), readiness.check(), readiness.check()]);
    expect(rounds).toBe(1);
    await readiness.check();
    expect(rounds).toBe(2);
  });
});
