import type { Checkpoint, ReplicaGauge } from './gauges.js';

/** What an invariant came to. */
export interface Finding {
  readonly invariant: string;
  readonly holds: boolean;
  readonly figures: string;
}

/**
 * From the middle of a soak to its end, with nobody asking anything: caches fill, buffers stay, compiled code comes and goes. What leaks with
 * each hop, turn or reconnection is more than that in two hours, and no more than this in ten minutes only if it is small.
 */
const heapMb = 12;
const residentMb = 80;
/** Connections to stores are opened as they are needed, and kept, and those of callers stay open for a while: a quiet replica has 30 fewer than a busy one. */
const files = 40;
const handles = 40;
const connections = 15;
/** Indexes and counts that are kept for ever are as many as services have, not as many as callers. */
const keysForEver = 60;

/** Whether what processes and stores hold stays level over the second half. */
export function flatnessOf(middle: Checkpoint, end: Checkpoint): Finding[] {
  const pairs = end.replicas.flatMap((after) => {
    const before = middle.replicas.find(({ name }) => name === after.name);
    return before === undefined ? [] : [{ before, after }];
  });
  const level = (invariant: string, figure: (gauge: ReplicaGauge) => number, limit: number, unit: string): Finding => {
    // A process that began since has less to show for itself, and is held to the same.
    const grown = pairs.map(({ before, after }) => ({ name: after.name, by: figure(after) - figure(before) }));
    const most = grown.reduce((worst, one) => (one.by > worst.by ? one : worst), {
      name: 'none',
      by: Number.NEGATIVE_INFINITY,
    });
    const isKnown = grown.every(({ by }) => Number.isFinite(by));
    return {
      invariant,
      holds: isKnown && most.by <= limit,
      figures: `most: ${most.name} ${most.by >= 0 ? '+' : ''}${most.by.toFixed(1)} ${unit}, at most ${limit}`,
    };
  };
  const grew = (invariant: string, by: number, limit: number): Finding => ({
    invariant,
    holds: by <= limit,
    figures: `${by >= 0 ? '+' : ''}${by}, at most ${limit}`,
  });
  return [
    level('heaps are level', ({ heapMb: mb }) => mb, heapMb, 'MB'),
    level('resident memory is level', ({ residentMb: mb }) => mb, residentMb, 'MB'),
    level('open files are level', (gauge) => gauge.files, files, 'files'),
    level('timers and sockets are level', (gauge) => gauge.handles, handles, 'handles'),
    grew('connections to Postgres are level', end.postgresConnections - middle.postgresConnections, connections),
    grew('keys without an end are level', end.redisKeysForEver - middle.redisKeysForEver, keysForEver),
  ];
}
