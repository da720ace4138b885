import { type Metrics, readGauge } from '../metrics/metrics.js';
import type { DatabaseConnection, PoolLoad, ReplicaState } from './sql-database.js';

type MeasuredDatabase = Pick<DatabaseConnection<never>, 'ping' | 'load' | 'replica'>;

/**
 * Gauge of the database's availability, measured at each scrape within a second, also while the pool is busy; and metrics of the pool
 * and the replica, if any.
 */
export function databaseMetrics(
  metrics: Pick<Metrics, 'counter' | 'gauge'>,
  { ping, load, replica }: MeasuredDatabase,
): void {
  metrics.gauge({
    name: 'database_up',
    help: 'Whether the database answers this process: 0 when it is unavailable or not migrated.',
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
  const most = 'Maximum connections of the pool.';
  readGauge(metrics, 'database_connections_max', most, () => load.maxConnections);
  readGauge(
    metrics,
    'database_statements_under_way',
    'Statements and transactions that run or wait for a connection of the pool.',
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
  counter('database_statements_total', 'Statements and transactions started.', () => load.begun);
  counter(
    'database_statement_seconds_total',
    'Duration of statements and transactions, including the wait for a connection.',
    () => load.seconds,
  );
  counter(
    'database_slots_refused_total',
    'Connections refused because the server had no free slot.',
    () => load.refusals,
  );
}

function replicaMetrics(metrics: Pick<Metrics, 'counter' | 'gauge'>, replica: ReplicaState): void {
  const isRead = 'Whether this process uses the replica for stale reads: 0 while it is unavailable or too far behind.';
  readGauge(metrics, 'database_replica_read', isRead, () => (replica.isRead ? 1 : 0));
  metrics.gauge({
    name: 'database_replica_lag_seconds',
    help: 'Lag of the replica; it grows while the replica or the primary does not answer.',
    collect() {
      this.reset();
      if (replica.lagMs !== undefined) this.set(replica.lagMs / 1000);
    },
  });
  metrics.counter({
    name: 'database_stale_reads_total',
    help: 'Stale reads by the server that answered.',
    labelNames: ['server'],
    collect() {
      this.reset();
      for (const server of ['replica', 'primary'] as const) this.inc({ server }, replica.reads[server]);
    },
  });
}
