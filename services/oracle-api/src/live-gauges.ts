import type { Metrics } from '@mlango/service-kit/metrics';

interface Live {
  readonly turns: { readonly running: number };
  readonly streams: { readonly size: number };
  readonly hub: { readonly stats: { readonly totalConnections: number } };
}

/** What is under way in this process. Each replica has its own, so that the sum over all is what the fleet does. */
export function liveGauges(metrics: Pick<Metrics, 'gauge'>, { turns, streams, hub }: Live): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge({
      name,
      help,
      collect() {
        this.set(read());
      },
    });
  gauge(
    'oracle_turns_running',
    'Turns that this replica runs, the last of their bookkeeping included.',
    () => turns.running,
  );
  gauge('oracle_streams_open', 'Streams of answers that are read from this replica.', () => streams.size);
  gauge('oracle_sockets_open', 'Sockets of both doors at this replica.', () => hub.stats.totalConnections);
}
