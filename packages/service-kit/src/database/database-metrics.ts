import { type Metrics, readGauge } from '../metrics/metrics.js';
import type { DatabaseConnection, PoolLoad, ReplicaState } from './sql-database.js';

type Told = Pick<DatabaseConnection<never>, 'ping' | 'load' | 'replica'>;

/**
 * Whether the database answers, asked at each look at the metrics, within a second, also where the pool has no time; and what the pool has to
 * do, where there is one.
 */
export function databaseMetrics(metrics: Pick<Metrics, 'counter' | 'gauge'>, { ping, load, replica }: Told): void {
  metrics.gauge({
    name: 'database_up',
    help: 'Whether the database answers this process: 0 when it is away or not up to date.',
    async collect() {
      this.set(
        await ping().then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  if (load !== undefined) poolMetrics(metrics, load);
  if (replica !== undefined) replicaMetrics(metrics, replica);
}

function poolMetrics(metrics: Pick<Metrics, 'counter' | 'gauge'>, load: PoolLoad): void {
  const most = 'Connections that the pool may have.';
  readGauge(metrics, 'database_connections_max', most, () => load.maxConnections);
  readGauge(
    metrics,
    'database_statements_under_way',
    'Statements and transactions that run or wait: beyond the connections of the pool they wait for one.',
    () => load.underWay,
  );
  const counter = (name: string, help: string, read: () => number) =>
    metrics.counter({
      name,
      help,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counter('database_statements_total', 'Statements and transactions that were asked for.', () => load.begun);
  counter(
    'database_statement_seconds_total',
    'Time that statements and transactions took, the wait for a connection included.',
    () => load.seconds,
  );
  counter(
    'database_slots_refused_total',
    'Times that the server had no free slot for a connection.',
    () => load.refusals,
  );
}

function replicaMetrics(metrics: Pick<Metrics, 'counter' | 'gauge'>, replica: ReplicaState): void {
  const isRead =
    'Whether this process reads from the replica what may be stale: 0 while that is away or too far behind, and the primary is read.';
  readGauge(metrics, 'database_replica_read', isRead, () => (replica.isRead ? 1 : 0));
  metrics.gauge({
    name: 'database_replica_lag_seconds',
    help: 'How old answers of the replica may be; it grows while the replica, or the primary, does not answer.',
    collect() {
      this.reset();
      if (replica.lagMs !== undefined) this.set(replica.lagMs / 1000);
    },
  });
  metrics.counter({
    name: 'database_stale_reads_total',
    help: 'Statements whose answer may be stale, by the server that has answered.',
    labelNames: ['server'],
    collect() {
      this.reset();
      for (const server of ['replica', 'primary'] as const) this.inc({ server }, replica.reads[server]);
    },
  });
}
