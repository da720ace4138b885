import { setTimeout as sleep } from 'node:timers/promises';
import { keptHolds, unexplained } from './credit-holds.js';
import type { Finding } from './flatness.js';
import type { Scene } from './scene.js';

/** How long what is under way when the last caller has gone may take to its end: an act that waits for others is tried again after minutes at most. */
const settleMs = 90_000;

/** Nothing is left half done: no run, no effect, no hold, no lock. Waits until it is so, for a while. */
export async function checkOrphans(scene: Scene, oracleKills: readonly Date[]): Promise<Finding> {
  const sinceMs = performance.now();
  for (;;) {
    const left = await leftOvers(scene, oracleKills);
    const some = Object.entries(left).filter(([, count]) => count > 0);
    const tookMs = performance.now() - sinceMs;
    if (some.length > 0 && tookMs < settleMs) {
      await sleep(500);
      continue;
    }
    const figures =
      some.length === 0
        ? `none after ${(tookMs / 1000).toFixed(1)} s`
        : some.map(([what, count]) => `${count} ${what}`).join(', ');
    return { invariant: 'nothing is left half done', holds: some.length === 0, figures };
  }
}

async function leftOvers(scene: Scene, oracleKills: readonly Date[]): Promise<Record<string, number>> {
  const { postgres, redis } = scene;
  const [oracle] = await postgres.admin('oracle')<{ runs: number; usage: number }[]>`
    select (select count(*)::int from runs where ended_at is null) as runs,
      (select count(*)::int from untold_usage) as usage`;
  const [ussd] = await postgres.admin('ussd')<{ effects: number; messages: number }[]>`
    select count(*) filter (where follows is null)::int as effects, count(*) filter (where follows is not null)::int as messages
    from effect_intents where ended_at is null`;
  const [locks] = await postgres.admin()<{ count: number }[]>`
    select count(*)::int from pg_locks where locktype = 'advisory'`;
  return {
    runs: oracle?.runs ?? 0,
    'uncharged turns': oracle?.usage ?? 0,
    'holds of credits': unexplained(await keptHolds(scene), oracleKills).length,
    effects: ussd?.effects ?? 0,
    messages: ussd?.messages ?? 0,
    'advisory locks': locks?.count ?? 0,
    'session locks': (await redis.client.keys('ussd:*:lock:*')).length,
  };
}
