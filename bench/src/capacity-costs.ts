import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cpuTimeUs } from './child-process.js';
import type { StoreGauge } from './store-usage.js';

/** What one of something takes, in microseconds of CPU; a million of them take as many seconds. */
export interface Cost {
  readonly serviceUs: number;
  readonly redisUs: number;
  readonly postgresUs: number;
  readonly redisCommands: number;
  /** Bytes between the service and Redis, both ways. */
  readonly redisBytes: number;
  /** Statements and transactions, as the service counts them. */
  readonly statements: number;
}

export const kinds = ['hop', 'pinHop', 'turn', 'frame', 'params', 'entity', 'claims'] as const;
export type Kind = (typeof kinds)[number];
export type Costs = Readonly<Record<Kind, Cost>>;

/** A service as it is measured. */
export interface Measured {
  readonly pid: number;
  readonly url: string;
}

/** What each of so many things took, while `act` did them. It resolves with how many they were. */
export async function costOfEach(service: Measured, gauge: StoreGauge, act: () => Promise<number>): Promise<Cost> {
  const before = {
    stores: await gauge.read(),
    serviceUs: cpuTimeUs(service.pid),
    statements: await statementsOf(service),
  };
  const count = await act();
  const serviceUs = cpuTimeUs(service.pid) - before.serviceUs;
  const stores = await gauge.read();
  const each = (name: keyof typeof stores) => (stores[name] - before.stores[name]) / count;
  return {
    serviceUs: serviceUs / count,
    redisUs: each('redisCpuUs'),
    postgresUs: each('postgresCpuUs'),
    redisCommands: each('redisCommands'),
    redisBytes: each('redisBytes'),
    statements: ((await statementsOf(service)) - before.statements) / count,
  };
}

/** The cheapest of some rounds by all CPU, since noise only adds. */
export function cheapestOf(rounds: readonly Cost[]): Cost {
  const [first, ...others] = rounds;
  if (first === undefined) throw new Error('nothing was measured');
  const all = ({ serviceUs, redisUs, postgresUs }: Cost) => serviceUs + redisUs + postgresUs;
  return others.reduce((least, one) => (all(one) < all(least) ? one : least), first);
}

/** What `many` take beyond `few`, for each of the `further` that they are more. */
export function furtherCost(few: Cost, many: Cost, further: number): Cost {
  const each = (name: keyof Cost) => Math.max(0, (many[name] - few[name]) / further);
  return {
    serviceUs: each('serviceUs'),
    redisUs: each('redisUs'),
    postgresUs: each('postgresUs'),
    redisCommands: each('redisCommands'),
    redisBytes: each('redisBytes'),
    statements: each('statements'),
  };
}

async function statementsOf({ url }: Measured): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^database_statements_total\{?.*\}? (\d+)/m.exec(metrics)?.[1] ?? 0);
}

const file = fileURLToPath(new URL('../results/capacity.json', import.meta.url));

/** Costs of the last run that was kept, on the machine that it names. */
export interface KeptCosts {
  readonly machine: string;
  readonly costs: Costs;
}

export function keepCosts(kept: KeptCosts): void {
  writeFileSync(file, `${JSON.stringify(kept, undefined, 2)}\n`);
}

export function keptCosts(): KeptCosts {
  return JSON.parse(readFileSync(file, 'utf8')) as KeptCosts;
}
