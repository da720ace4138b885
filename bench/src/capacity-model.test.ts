import { describe, expect, it } from 'vitest';
import type { Cost, Costs } from './capacity-costs.js';
import { type Demand, mostHops, planFor } from './capacity-model.js';

const cost = (serviceUs: number, redisUs = 0, postgresUs = 0): Cost => ({
  ...{ serviceUs, redisUs, postgresUs },
  ...{ redisCommands: 2, redisBytes: 1000, statements: 1 },
});
const costs: Costs = {
  ...{ hop: cost(100, 50), pinHop: cost(1000, 50, 200), turn: cost(2000, 100, 500), frame: cost(50, 10) },
  ...{ params: cost(80), entity: cost(100), claims: cost(500) },
};
const demand: Demand = {
  ...{ subscribers: 360_000, dials: 1, hopsPerSession: 10, pinShare: 0.1 },
  ...{ users: 3600, turns: 10, tokensPerTurn: 100, secondsPerTurn: 20 },
  queriesPerSecond: 1000,
};
const bytesOf = (name: string) => (name === 'ussd_session' ? 1000 : 0);

describe('the capacity model', () => {
  it('adds up what each thing of a busy hour takes', () => {
    const need = planFor(demand, costs, bytesOf);
    expect(need.perSecond).toEqual({ hops: 1000, turns: 10, frames: 1000, queries: 1000 });
    expect(need.liveStreams).toBe(200);
    // 900 hops of 100 µs and 100 of 1000 µs; 10 turns of 2000 µs and 1000 frames of 50 µs.
    expect(need.busyCores.ussd).toBeCloseTo(0.19);
    expect(need.busyCores.oracle).toBeCloseTo(0.07);
    expect(need.busyCores.postgres).toBeCloseTo(0.025);
    expect(need.redisMaxmemoryMegabytes).toBeCloseTo(5 + (1.5 * 100 * 780 * 1000) / 1e6);
    expect(need.replicas).toEqual({ ussd: 2, oracle: 2, gateway: 2 });
    expect(need.stops).toEqual([]);
  });

  it('says where one Redis and the connections of Postgres come to their end', () => {
    const need = planFor({ ...demand, subscribers: 36_000_000 }, costs, bytesOf);
    expect(need.replicas.ussd).toBe(38);
    expect(need.stops).toEqual([expect.stringContaining('a cluster'), expect.stringContaining('a pooler')]);
  });

  it('gives the hops that one more process brings, until the cores of the machine are busy', () => {
    const bench = { cores: 2, callerUs: 50, callers: 1e9 };
    expect(mostHops(costs.hop, { ...bench, processes: 1 })).toBeCloseTo(10_000);
    expect(mostHops(costs.hop, { ...bench, processes: 4 })).toBeCloseTo(10_000);
    expect(mostHops(costs.hop, { ...bench, cores: 8, processes: 4 })).toBeCloseTo(20_000);
  });

  it('leaves each process without a caller for some of the time, the more the fewer there are', () => {
    const bench = { cores: 8, callerUs: 10, processes: 1 };
    // One alone is at the process, at Redis or at itself, and never at two of them.
    expect(mostHops(costs.hop, { ...bench, callers: 1 })).toBeCloseTo(10_000 / 3);
    expect(mostHops(costs.hop, { ...bench, callers: 8 })).toBeCloseTo(8_000);
  });
});
