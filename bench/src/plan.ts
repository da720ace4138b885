/** How many replicas, cores and connections a demand takes, by the costs of `results/capacity.json`: `pnpm --filter @mlango/bench plan --subscribers 1000000`. */
import { parseArgs } from 'node:util';
import { keptCosts } from './capacity-costs.js';
import { type Demand, planFor, usableShare } from './capacity-model.js';
import { printTable } from './print-table.js';
import { documentedSizes } from './size-table.js';

const usual: Demand = {
  ...{ subscribers: 1_000_000, dials: 0.1, hopsPerSession: 6, pinShare: 0.1 },
  ...{ users: 10_000, turns: 6, tokensPerTurn: 300, secondsPerTurn: 10 },
  queriesPerSecond: 100,
};
const options = Object.fromEntries(Object.keys(usual).map((name) => [name, { type: 'string' as const }]));
const { values } = parseArgs({ options });
const demand = Object.fromEntries(
  Object.entries(usual).map(([name, fallback]) => [name, numberOf(name, values[name], fallback)]),
) as unknown as Demand;

const { costs, machine } = keptCosts();
const sizes = documentedSizes();
const need = planFor(demand, costs, (name) => sizes.get(name) ?? 0);
const { perSecond, busyCores, replicas } = need;
process.stdout.write(
  `${Object.entries(demand)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}\n`,
);
process.stdout.write(
  `In the busy hour, by the costs on ${machine}; a core may be busy for ${usableShare * 100} % of it:\n\n`,
);
printTable(
  ['', 'a second', 'busy cores', 'replicas'],
  [
    ['USSD gateway', `${perSecond.hops.toFixed(0)} hops`, busyCores.ussd.toFixed(2), String(replicas.ussd)],
    [
      'oracle',
      `${perSecond.turns.toFixed(1)} turns, ${perSecond.frames.toFixed(0)} frames, ${need.liveStreams.toFixed(0)} live streams`,
      busyCores.oracle.toFixed(2),
      String(replicas.oracle),
    ],
    [
      'query gateway',
      `${perSecond.queries.toFixed(0)} queries`,
      busyCores.gateway.toFixed(2),
      String(replicas.gateway),
    ],
    [
      'Redis',
      `${need.redisCommandsPerSecond.toFixed(0)} commands, ${need.redisMegabytesPerSecond.toFixed(1)} MB; maxmemory ${need.redisMaxmemoryMegabytes.toFixed(0)} MB`,
      busyCores.redis.toFixed(2),
      '',
    ],
    [
      'Postgres',
      `${need.statementsPerSecond.toFixed(0)} statements, ${need.postgresConnections} connections`,
      busyCores.postgres.toFixed(2),
      '',
    ],
  ],
);
for (const stop of need.stops) process.stdout.write(`\n${stop}\n`);

function numberOf(name: string, given: string | boolean | undefined, fallback: number): number {
  const value = given === undefined ? fallback : Number(given);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} must be a number`);
  return value;
}
