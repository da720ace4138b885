import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TokenRenewal } from './token-renewal.js';

const minuteMs = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

/** Tokens of a socket with credentials that are replaced after the given time. */
function connection(lifeMs = 4 * minuteMs) {
  const shown: string[] = [];
  let signed = 0;
  let renewAtMs: number | undefined;
  const wallet = { refuses: false };
  const sign = () => {
    if (wallet.refuses) throw new Error('not today');
    signed += 1;
    renewAtMs = Date.now() + lifeMs;
  };
  const renewal = new TokenRenewal({
    credentials: {
      renewAtMs: () => renewAtMs,
      tokens: async () => {
        if (renewAtMs === undefined || Date.now() >= renewAtMs) sign();
        return { invocation: `token ${signed}`, ucanDelegation: 'd' };
      },
    },
    show: ({ invocation = '' }) => shown.push(invocation),
  });
  const connect = async () => {
    await renewal.tokens();
    renewal.start();
  };
  return { renewal, connect, shown, wallet, sign };
}

describe('the tokens of a socket', () => {
  it('presents a new token before each expiry while connected', async () => {
    const { renewal, connect, shown } = connection();
    await connect();
    await vi.advanceTimersByTimeAsync(4 * minuteMs - 1);
    expect(shown).toEqual([]);
    await vi.advanceTimersByTimeAsync(8 * minuteMs + 10);
    expect(shown).toEqual(['token 2', 'token 3', 'token 4']);
    renewal.stop();
    await vi.advanceTimersByTimeAsync(60 * minuteMs);
    expect(shown).toHaveLength(3);
    await connect();
    await vi.advanceTimersByTimeAsync(4 * minuteMs);
    expect(shown).toHaveLength(4);
  });

  it('are presented even if a request replaced them before', async () => {
    const { connect, shown, sign } = connection();
    await connect();
    await vi.advanceTimersByTimeAsync(3.9 * minuteMs);
    sign();
    await vi.advanceTimersByTimeAsync(0.1 * minuteMs);
    expect(shown).toEqual(['token 2']);
  });

  it('of months are not presented early', async () => {
    const days = 86_400_000;
    const { connect, shown } = connection(40 * days);
    await connect();
    await vi.advanceTimersByTimeAsync(40 * days - 1);
    expect(shown).toEqual([]);
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(shown).toEqual(['token 2']);
  });

  it('of seconds are presented once a second at most', async () => {
    const { connect, shown } = connection(1);
    await connect();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(shown).toHaveLength(10);
  });

  it('request a refusing wallet once', async () => {
    const { renewal, connect, shown, wallet } = connection();
    await connect();
    wallet.refuses = true;
    await vi.advanceTimersByTimeAsync(60 * minuteMs);
    expect([shown, renewal.isRefusedByWallet]).toEqual([[], true]);
    wallet.refuses = false;
    await connect();
    expect(renewal.isRefusedByWallet).toBe(false);
  });

  it('are presented again if they could not be verified', async () => {
    const { renewal, connect, shown } = connection();
    await connect();
    await vi.advanceTimersByTimeAsync(4 * minuteMs);
    renewal.again();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(shown).toEqual(['token 2', 'token 2']);
    await vi.advanceTimersByTimeAsync(4 * minuteMs);
    expect(shown).toEqual(['token 2', 'token 2', 'token 3']);
    renewal.stop();
    renewal.again();
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(shown).toHaveLength(3);
  });
});
