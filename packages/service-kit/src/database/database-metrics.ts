import type { Metrics } from '../metrics.js';
import type { DatabaseConnection, PoolLoad } from './sql-database.js';

type Told = Pick<DatabaseConnection<never>, 'ping' | 'load'>;

/** Whether the database answers, asked at each look at the metrics, within a second; and what the pool has to do, where there is one. */
export function databaseMetrics(metrics: Pick<Metrics, 'counter' | 'gauge'>, { ping, load }: Told): void {
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
}

function poolMetrics(metrics: Pick<Metrics, 'counter' | 'gauge'>, load: PoolLoad): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge({
      name,
      help,
      collect() {
        this.set(read());
      },
    });
  gauge('database_connections_max', 'Connections that the pool may have.', () => load.maxConnections);
  gauge(
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
