import type { Metrics } from '../metrics/metrics.js';
import { key } from './key.js';
import type { RedisClient } from './redis-client.js';

const probeMs = 10_000;
/** Enough keys that each of a few masters owns one. */
const probesInCluster = 16;

/**
 * Readiness check that writes to Redis, on a cluster to all masters: a server that is full, read-only or cannot write to its disk
 * still answers a ping.
 *
 * @param service first part of the service's keys
 */
export function redisWrites(client: RedisClient, service: string): () => Promise<void> {
  const count = client.isCluster ? probesInCluster : 1;
  const probes = Array.from({ length: count }, (_, index) =>
    key(service, index === 0 ? 'probe' : `probe-${index}`, 'writes'),
  );
  return async () => {
    await Promise.all(probes.map((probe) => client.set(probe, '1', 'PX', probeMs)));
  };
}

/** Gauges `redis_writable` and `redis_write_seconds`, measured at each scrape within the command timeout. */
export function redisWritableGauge(metrics: Pick<Metrics, 'gauge'>, writes: () => Promise<void>): void {
  const took = metrics.gauge({
    name: 'redis_write_seconds',
    help: 'Duration of the write that checks whether Redis accepts writes, at most the command timeout.',
  });
  metrics.gauge({
    name: 'redis_writable',
    help: 'Whether Redis accepts writes: 0 when it is unavailable, full or read-only.',
    async collect() {
      const begunMs = performance.now();
      this.set(
        await writes().then(
          () => 1,
          () => 0,
        ),
      );
      took.set((performance.now() - begunMs) / 1000);
    },
  });
}
