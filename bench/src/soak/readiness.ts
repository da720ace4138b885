import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from './scene.js';

/** Documented: a run whose process died is brought to its end within ten seconds; stores and nodes are tried again within seconds. */
const readyMs = 30_000;

/** How long after a fault each replica was ready again; the names of those that were not in half a minute. */
export async function untilAllReady({
  replicas,
}: Scene): Promise<{ readonly tookMs: number; readonly never: readonly string[] }> {
  const sinceMs = performance.now();
  const waits = replicas.map(async ({ name, url }) => {
    while (performance.now() - sinceMs < readyMs) {
      const status = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) }).then(
        async (reply) => {
          await reply.text();
          return reply.status;
        },
        () => 0,
      );
      if (status === 200) return undefined;
      await sleep(200);
    }
    return name;
  });
  const never = (await Promise.all(waits)).filter((name) => name !== undefined);
  return { tookMs: performance.now() - sinceMs, never };
}
