import type { Metrics } from '../metrics/metrics.js';
import { key } from './key.js';
import type { RedisClient } from './redis-client.js';

const probeMs = 10_000;
/** So many keys that each of a few masters has one. */
const placesInCluster = 16;

/**
 * Asks whether Redis takes writes now, of a cluster all of its masters: one that is full, read-only or cannot write to its disk still answers a ping. Resolves
 * when it does and rejects otherwise, so it is a check for readiness.
 *
 * @param service first part of the service's keys
 */
export function redisWrites(client: RedisClient, service: string): () => Promise<void> {
  const places = client.isCluster ? placesInCluster : 1;
  const probes = Array.from({ length: places }, (_, place) =>
    key(service, place === 0 ? 'probe' : `probe-${place}`, 'writes'),
  );
  return async () => {
    await Promise.all(probes.map((probe) => client.set(probe, '1', 'PX', probeMs)));
  };
}

/** `redis_writable`, and what a write takes: asked at each look at the metrics, within the time limit of one command. */
export function redisWritableGauge(metrics: Pick<Metrics, 'gauge'>, writes: () => Promise<void>): void {
  const took = metrics.gauge({
    name: 'redis_write_seconds',
    help: 'What the write took by which it was found out whether Redis takes any; up to its time limit when it does not answer.',
  });
  metrics.gauge({
    name: 'redis_writable',
    help: 'Whether Redis takes writes: 0 when it is away, full or read-only.',
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
