/** The replicas of a soak. The first of each pair may die; the second lives through all of it, so that its memory can be judged. */
export const mortals = ['ussd-1', 'oracle-1', 'gateway-1'] as const;
export const survivors = ['ussd-2', 'oracle-2', 'gateway-2'] as const;
const replicas = [...mortals, ...survivors] as const;

/** Ways over which one process reaches another; each has a proxy of its own. */
export const links = [
  'ussd-1>redis',
  'ussd-2>redis',
  'oracle-1>redis',
  'oracle-2>redis',
  'ussd-1>postgres',
  'ussd-2>postgres',
  'oracle-1>postgres',
  'oracle-2>postgres',
  'oracle-1>model',
  'oracle-2>model',
  'ussd-1>money',
  'ussd-2>money',
  'gateway-1>redis',
  'gateway-2>redis',
  'gateway-1>node',
  'gateway-2>node',
  'callers>ussd-1',
  'callers>ussd-2',
  'callers>oracle-1',
  'callers>oracle-2',
  'callers>gateway-1',
  'callers>gateway-2',
] as const;
export type Link = (typeof links)[number];

interface Shape {
  readonly targets: readonly string[];
  /** Seconds that it lasts, least and most. */
  readonly seconds: readonly [number, number];
}

const stores = ['redis', 'postgres'] as const;

export const faultKinds = {
  /** SIGKILL; started again when the time is over. */
  kill: { targets: mortals, seconds: [1, 6] },
  /** SIGTERM, waited for; started again when the time is over. */
  restart: { targets: mortals, seconds: [1, 3] },
  /** SIGSTOP, then SIGCONT. */
  pause: { targets: replicas, seconds: [2, 12] },
  /** The store dies as by SIGKILL, and recovers from its disk. */
  storeKill: { targets: stores, seconds: [1, 5] },
  storePause: { targets: stores, seconds: [2, 8] },
  /** Redis at `maxmemory` with `noeviction`. */
  fullRedis: { targets: ['redis'], seconds: [4, 10] },
  /** No byte left where the tables of Postgres lie. */
  fullDisk: { targets: ['postgres'], seconds: [4, 10] },
  /** Connections are ended, and others take all the slots. */
  noSlots: { targets: ['postgres'], seconds: [4, 10] },
  latency: { targets: links, seconds: [5, 15] },
  throttle: { targets: links, seconds: [5, 15] },
  /** Connections are reset, and new ones too until the time is over. */
  cut: { targets: links, seconds: [1, 8] },
  /** Nothing arrives, and nobody is told. */
  blackHole: { targets: links, seconds: [3, 12] },
  /** Packets are lost, as TCP shows it: stalls, and a reset now and then. */
  loss: { targets: links, seconds: [5, 15] },
  /** The wall clock of a replica jumps, and jumps back. */
  clockStep: { targets: replicas, seconds: [8, 20] },
} as const satisfies Record<string, Shape>;

export type FaultKind = keyof typeof faultKinds;
