import { createLogger } from '@mlango/service-kit/logging';
import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RefusalLog } from '../../src/http/refusal-log.js';
import { call } from '../support/aggregator-calls.js';
import { openTestApp, sendHop } from '../support/test-app.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const minuteMs = 60_000;

function capturedLog() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, logger: createLogger({ service: 'test', level: 'info', destination }) };
}

const from = (ip: string, aggregator?: string) => ({ ip, routeOptions: { config: { aggregator } } }) as FastifyRequest;

function refusalsInLog() {
  const { lines, logger } = capturedLog();
  return { lines, refusals: new RefusalLog(logger) };
}

describe('refusals', () => {
  it('are one line a minute, each network with its count, the most refused first', () => {
    const { lines, refusals } = refusalsInLog();
    refusals.record(from('198.51.100.1'), 'address');
    for (let time = 0; time < 500; time++) refusals.record(from('192.0.2.7', 'hubtel'), 'phone');
    refusals.record(from('192.0.2.8', 'hubtel'), 'phone');
    vi.advanceTimersByTime(minuteMs - 1);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(lines).toMatchObject([
      {
        level: 40,
        refused: [
          { address: '192.0.2.x', aggregator: 'hubtel', reason: 'phone', times: 501 },
          { address: '198.51.100.x', aggregator: 'none', reason: 'address', times: 1 },
        ],
        others: 0,
      },
    ]);
  });

  it('start again each minute, and log nothing in a quiet one', () => {
    const { lines, refusals } = refusalsInLog();
    refusals.record(from('192.0.2.7'), 'address');
    vi.advanceTimersByTime(3 * minuteMs);
    refusals.record(from('192.0.2.7'), 'address');
    vi.advanceTimersByTime(minuteMs);
    expect(lines).toMatchObject([{ refused: [{ times: 1 }] }, { refused: [{ times: 1 }] }]);
  });

  it('of a flood from many networks list twenty networks and the number of the rest', () => {
    const { lines, refusals } = refusalsInLog();
    for (let index = 0; index < 100_000; index++)
      refusals.record(from(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`), 'address');
    refusals.close();
    const [line] = lines as { refused: { times: number }[]; others: number }[];
    expect(line?.refused).toHaveLength(20);
    expect(line?.others).toBe(100_000 - 20 * 256);
  });

  it('are logged at the end, unless there were none', () => {
    const { lines, refusals } = refusalsInLog();
    refusals.close();
    expect(lines).toEqual([]);
    refusals.record(from('192.0.2.7'), 'origin');
    refusals.close();
    vi.advanceTimersByTime(minuteMs);
    expect(lines).toHaveLength(1);
  });
});

describe('refused requests', () => {
  const env = {
    RATE_LIMIT_MAX: '1',
    RATE_LIMIT_PER_PHONE: '1',
    AGGREGATOR_CANONICAL_CIDRS: '192.0.2.0/24',
    AGGREGATOR_HUBTEL_SECRET: 'a-secret-of-hubtel-only',
  };

  it('of each kind are logged with neither phone nor whole address', async () => {
    const lines: string[] = [];
    const app = await openTestApp({ env, log: (line) => lines.push(line) });
    for (let hop = 0; hop < 3; hop++) await sendHop(app, '', {}, '192.0.2.77');
    const strange = { remoteAddress: '198.51.100.77' };
    for (let time = 0; time < 3; time++) await call(app, { url: '/api/ussd/hubtel', json: {}, ...strange });
    await app.inject({ url: '/api/ussd/sessions', ...strange });

    await app.close();
    const refusals = lines.filter((line) => line.includes('"refused"'));
    expect(refusals).toHaveLength(1);
    expect(JSON.parse(refusals[0] ?? '')).toMatchObject({
      refused: expect.arrayContaining([
        { address: '192.0.2.x', aggregator: 'canonical', reason: 'phone', times: 2 },
        { address: '198.51.100.x', aggregator: 'hubtel', reason: 'origin', times: 1 },
        { address: '198.51.100.x', aggregator: 'hubtel', reason: 'address', times: 2 },
        { address: '198.51.100.x', aggregator: 'none', reason: 'address', times: 1 },
      ]),
    });
    expect(lines.join('')).not.toMatch(/192\.0\.2\.77|198\.51\.100\.77|260971230567/);
  });
});
