import type { Cost, Costs } from './capacity-costs.js';

/** What a deployment has to bear in its busy hour. */
export interface Demand {
  /** Phones that may dial. */
  readonly subscribers: number;
  /** Sessions of one of them in that hour; fewer than one as a rule. */
  readonly dials: number;
  readonly hopsPerSession: number;
  /** Of all hops. */
  readonly pinShare: number;
  /** People who chat. */
  readonly users: number;
  /** Messages of one of them in that hour. */
  readonly turns: number;
  readonly tokensPerTurn: number;
  /** How long an answer streams. */
  readonly secondsPerTurn: number;
  readonly queriesPerSecond: number;
}

/** How much of a core may be used on average, so that there is room for peaks within the hour and for a replica that is lost. */
export const usableShare = 0.5;
/** Connections that each replica opens to Postgres, as a rule (`DATABASE_POOL_MAX`). */
const poolSize = 10;

/** `SESSION_TTL_SECONDS` and ten minutes more; `RUN_FRAMES_MINUTES`. */
const [sessionSeconds, answerSeconds] = [780, 900];

export interface Need {
  readonly perSecond: {
    readonly hops: number;
    readonly turns: number;
    readonly frames: number;
    readonly queries: number;
  };
  /** Answers that stream at one time. */
  readonly liveStreams: number;
  /** Processes of each service; each takes a core, and none is alone. */
  readonly replicas: { readonly ussd: number; readonly oracle: number; readonly gateway: number };
  /** Cores that are busy, on average over the hour. */
  readonly busyCores: {
    readonly ussd: number;
    readonly oracle: number;
    readonly gateway: number;
    readonly redis: number;
    readonly postgres: number;
  };
  readonly redisCommandsPerSecond: number;
  readonly redisMegabytesPerSecond: number;
  /** Half as much again as there is at the busiest time. */
  readonly redisMaxmemoryMegabytes: number;
  readonly statementsPerSecond: number;
  readonly postgresConnections: number;
  /** What comes first to its end, and what then. */
  readonly stops: readonly string[];
}

/**
 * What a demand takes, by the costs of each thing. Pure.
 *
 * @param bytesOf what each thing takes in Redis, by the names of docs/operations/redis.md
 */
export function planFor(demand: Demand, costs: Costs, bytesOf: (name: string) => number): Need {
  const hops = (demand.subscribers * demand.dials * demand.hopsPerSession) / 3600;
  const turns = (demand.users * demand.turns) / 3600;
  const frames = turns * demand.tokensPerTurn;
  const queries = demand.queriesPerSecond;
  const pinHops = hops * demand.pinShare;
  const loads: readonly (readonly [perSecond: number, cost: Cost])[] = [
    [hops - pinHops, costs.hop],
    [pinHops, costs.pinHop],
    [turns, costs.turn],
    [frames, costs.frame],
    [queries, costs.entity],
  ];
  const sum = (name: keyof Cost, some = loads) =>
    some.reduce((all, [perSecond, cost]) => all + perSecond * cost[name], 0);
  const cores = (name: keyof Cost, some = loads) => sum(name, some) / 1e6;
  const busyCores = {
    ussd: cores('serviceUs', loads.slice(0, 2)),
    oracle: cores('serviceUs', loads.slice(2, 4)),
    gateway: cores('serviceUs', loads.slice(4)),
    redis: cores('redisUs'),
    postgres: cores('postgresUs'),
  };
  const processes = (busy: number) => Math.max(2, Math.ceil(busy / usableShare));
  const replicas = {
    ussd: processes(busyCores.ussd),
    oracle: processes(busyCores.oracle),
    gateway: processes(busyCores.gateway),
  };
  const liveStreams = turns * demand.secondsPerTurn;
  const answer = bytesOf('ended_run') + bytesOf('ended_word') * Math.max(0, demand.tokensPerTurn - 500);
  const redisBytes =
    (hops / demand.hopsPerSession) * sessionSeconds * bytesOf('ussd_session') +
    liveStreams * (bytesOf('run') + bytesOf('frame') * demand.tokensPerTurn) +
    turns * answerSeconds * answer;
  return {
    perSecond: { hops, turns, frames, queries },
    liveStreams,
    replicas,
    busyCores,
    redisCommandsPerSecond: sum('redisCommands'),
    redisMegabytesPerSecond: sum('redisBytes') / 1e6,
    redisMaxmemoryMegabytes: (1.5 * redisBytes) / 1e6 + 5,
    statementsPerSecond: sum('statements'),
    postgresConnections: (replicas.ussd + replicas.oracle) * poolSize,
    stops: stopsOf(busyCores, (replicas.ussd + replicas.oracle) * poolSize),
  };
}

/** Postgres takes a process for each; beyond this a pooler stands before it. */
const mostConnections = 200;

function stopsOf(busy: Need['busyCores'], connections: number): string[] {
  const stops: string[] = [];
  if (busy.redis > usableShare)
    stops.push(`one Redis has one core for commands, and ${busy.redis.toFixed(1)} would be busy: a cluster`);
  if (connections > mostConnections) stops.push(`${connections} connections to Postgres: a pooler, or a smaller pool`);
  return stops;
}

/** What bears hops that are asked for without a pause, on a machine that the service shares with its stores and its callers. */
export interface Bench {
  readonly processes: number;
  readonly cores: number;
  /** Of whom each asks again once it has been answered. */
  readonly callers: number;
  /** CPU of those who ask, which is one thread. */
  readonly callerUs: number;
}

/** Beside the processes of the service: Redis, and the thread of the callers. */
const otherStations = 2;

/**
 * Hops a second at most: each process has one core, the callers have one, and all together have those of the machine. None of them is busy all the
 * time, for of callers who wait for their answers some are elsewhere: of K callers at M stations that take equally long, each station has somebody for
 * K / (K + M - 1) of the time (balanced closed networks, Zahorjan and others 1982).
 */
export function mostHops(cost: Cost, { processes, cores, callers, callerUs }: Bench): number {
  const all = cost.serviceUs + cost.redisUs + cost.postgresUs + callerUs;
  const busyShare = callers / (callers + processes + otherStations - 1);
  return 1e6 * busyShare * Math.min(processes / cost.serviceUs, 1 / callerUs, 1 / cost.redisUs, cores / all);
}
