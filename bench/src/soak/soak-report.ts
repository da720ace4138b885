import { loadavg } from 'node:os';
import { printTable } from '../print-table.js';
import type { Fault } from './fault-plan.js';
import type { Finding } from './flatness.js';
import type { Checkpoint } from './gauges.js';
import type { Tally } from './tally.js';

export interface Soak {
  readonly seed: number;
  readonly minutes: number;
  readonly plan: readonly Fault[];
  /** Kinds that this machine cannot have, and why. */
  readonly missing: ReadonlyMap<string, string>;
  readonly tally: Tally;
  readonly checkpoints: readonly Checkpoint[];
  readonly slowestRecovery: { readonly ms: number; readonly after: string };
  /** What was looked at when all was over. */
  readonly findings: readonly Finding[];
}

/** What is watched all along: it holds where nobody saw it broken. */
const watched: Readonly<Record<string, (done: ReadonlyMap<string, number>) => string>> = {
  'callers are told in the end': (done) => `${sum(done, /accounts|log-ins|payments|turns|queries/)} things done`,
  'nobody sees what is another’s': (done) => `${sum(done, /log-ins/)} log-ins`,
  'answers come letter by letter': (done) => `${sum(done, /turns/)} turns`,
  'turns end once, as documented': (done) => `${sum(done, /turns/)} turns`,
  'sockets hear each event once': (done) => `${sum(done, /socket events/)} events`,
  'queries are answered right': (done) => `${sum(done, /queries/)} queries`,
  'watches tell each block once': (done) => `${sum(done, /blocks/)} blocks`,
  'replicas are ready again': () => 'within 30 s of each fault',
  'processes end in order and come back': () => 'with exit code 0 for SIGTERM',
  'no process ends by itself': () => 'all that began ran on',
};

/** All invariants, with whether they hold. */
export function verdictsOf({ tally, findings }: Pick<Soak, 'tally' | 'findings'>): Finding[] {
  const names = new Set([...Object.keys(watched), ...tally.violations.keys()]);
  const seen = [...names].map((invariant): Finding => {
    const broken = tally.violations.get(invariant) ?? [];
    const well = watched[invariant]?.(tally.done) ?? '';
    return {
      invariant,
      holds: broken.length === 0,
      figures: broken.length === 0 ? well : `${broken.length} times, first: ${broken[0]}`,
    };
  });
  return [...seen, ...findings];
}

export function printReport(soak: Soak): void {
  const { tally, checkpoints, plan, missing, slowestRecovery } = soak;
  const rows: string[][] = [];
  for (const [what, count] of tally.done) rows.push(['done', what, String(count)]);
  for (const [kind, count] of countsOf(plan)) rows.push(['fault', kind, String(count)]);
  for (const [kind, why] of missing) rows.push(['fault', `${kind}: none`, why]);
  for (const [what, count] of [...tally.refusals].toSorted(([a], [b]) => a.localeCompare(b)))
    rows.push(['refused', what, String(count)]);
  rows.push(['longest outage of a caller', tally.longestOutage.what, seconds(tally.longestOutage.ms)]);
  rows.push(['longest until all were ready', slowestRecovery.after, seconds(slowestRecovery.ms)]);
  for (const { invariant, holds, figures } of verdictsOf(soak))
    rows.push([holds ? 'holds' : 'DOES NOT HOLD', invariant, figures.replaceAll('\n', ' ').slice(0, 300)]);
  for (const { at, replicas, ...stores } of checkpoints) {
    for (const { name, heapMb, residentMb, files, handles } of replicas) {
      const figures = `heap ${heapMb.toFixed(1)} MB, resident ${residentMb.toFixed(0)} MB, ${files} files, ${handles} handles`;
      rows.push([`at ${at * 100} %`, name, figures]);
    }
    const { redisMb, redisKeys, redisKeysForEver, postgresConnections, idleInTransaction } = stores;
    rows.push([
      `at ${at * 100} %`,
      'Redis',
      `${redisMb.toFixed(1)} MB, ${redisKeys} keys, ${redisKeysForEver} without an end`,
    ]);
    rows.push([
      `at ${at * 100} %`,
      'Postgres',
      `${postgresConnections} connections, ${idleInTransaction} idle in a transaction`,
    ]);
  }
  rows.push(['machine', 'load, 1 and 15 minutes', `${loadavg()[0]?.toFixed(1)} and ${loadavg()[2]?.toFixed(1)}`]);
  printTable(['', 'what', 'figures'], rows);
}

/** The same for a program. */
export function reportAsJson(soak: Soak): string {
  const { tally, missing, ...rest } = soak;
  const known = {
    done: Object.fromEntries(tally.done),
    refusals: Object.fromEntries(tally.refusals),
    longestOutage: tally.longestOutage,
  };
  const broken = Object.fromEntries(tally.violations);
  const all = {
    ...rest,
    ...known,
    missing: Object.fromEntries(missing),
    verdicts: verdictsOf(soak),
    broken,
    load: loadavg(),
  };
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

function countsOf(plan: readonly Fault[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of plan) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function sum(done: ReadonlyMap<string, number>, what: RegExp): number {
  return [...done].reduce((all, [name, count]) => (what.test(name) ? all + count : all), 0);
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
