import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPrometheus } from '@mlango/test-services/find-prometheus';
import { startNodeProgram } from '@mlango/test-services/program';
import { launchPrometheus } from '@mlango/test-services/prometheus-server';
import { canStartPostgres, canStartRedis, startPostgres, startRedis } from '@mlango/test-services/servers';
import { describe, expect, it, vi } from 'vitest';
import { queries, questions } from './dashboards.fixture.js';
import { oracleDid, speaker } from './oracle-scene.fixture.js';
import { folder } from './promtool.fixture.js';
import type { Door } from './recording.fixture.js';
import { afterwards, hops, rehearseInFolder, startDoor } from './rehearsing.fixture.js';

const program = findPrometheus('prometheus');
const SOON = { timeout: 100_000, interval: 500 };

/** Series that appear with their first event, of a kind that this test does not cause. */
const ofOtherDays =
  /ussd_(webhook|messages|oracle_questions|screen)|oracle_(tool|plugin|credits)|gateway_(key|admissions|watch_events|watches_refused|shared_cache)|limiter=~/;

/** As `prometheus.yml` has it, with the addresses of processes and no time to lose. */
function configFor(doors: readonly Door[]): string {
  const scrape_configs = doors.map(({ job, address }) => ({
    job_name: job,
    static_configs: [{ targets: [new URL(address).host] }],
  }));
  const global = { scrape_interval: '1s', evaluation_interval: '1s' };
  return JSON.stringify({ global, rule_files: ['alerts.yml'], scrape_configs });
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

describe.skipIf(program === undefined || !canStartPostgres || !canStartRedis)('a real Prometheus', () => {
  rehearseInFolder();

  it('has data for every panel, and for the twelve questions during a fault', {
    timeout: 240_000,
  }, async () => {
    const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    afterwards(redis.remove);
    afterwards(postgres.remove);
    const node = await startNodeProgram();
    const stores = { REDIS_URL: redis.url, DATABASE_URL: postgres.url };
    const [ussd, oracle, gateway] = await Promise.all([
      startDoor('ussd-gateway', { ...stores, RATE_LIMIT_PER_PHONE: '100000' }),
      startDoor('oracle-api', { ...stores, ORACLE_ENTITY_DID: oracleDid, RATE_LIMIT_MAX: '40' }),
      startDoor('proto-gateway', { REDIS_URL: redis.url, GRPC_TARGETS: node.address, PROTO_CACHE_TTL_MS: '1' }),
    ]);
    const prometheus = await launchPrometheus(program ?? '', {
      'prometheus.yml': configFor([ussd, oracle, gateway]),
      'alerts.yml': readFileSync(join(folder, 'alerts.yml'), 'utf8'),
    });
    afterwards(prometheus.remove);
    const ask = async (query: string): Promise<readonly Sample[]> => {
      const reply = await fetch(`${prometheus.url}/api/v1/query?query=${encodeURIComponent(query)}`);
      const { data, error } = (await reply.json()) as { data?: { result: Sample[] }; error?: string };
      if (data === undefined) throw new Error(`${query}: ${error}`);
      return data.result;
    };
    const say = await speaker(oracle, 1);
    const query = async (path: string) => (await fetch(`${gateway.address}/proto/${path}`)).text();
    const inPeace = () => Promise.all([hops(ussd), say(), query('token/params'), query('nothing-of-this-name')]);
    const inTrouble = () => Promise.all([hops(ussd), query('token/params'), fetch(`${oracle.address}/models`)]);
    /** Which of these have no answer, with callers coming all the while. */
    const unanswered = async (asked: typeof queries, load: () => Promise<unknown>) => {
      await load();
      const answers = await Promise.all(asked.map(async (each) => ({ ...each, count: (await ask(each.expr)).length })));
      return answers.filter(({ count }) => count === 0).map(({ panel, expr }) => `${panel}: ${expr}`);
    };

    const ofFaults = /5\.\.|ALERTS|unavailable|refused|code=~|> 0$/;
    const usual = queries.filter(({ expr }) => !ofFaults.test(expr) && !ofOtherDays.test(expr));
    await vi.waitFor(async () => expect(await unanswered(usual, inPeace)).toEqual([]), SOON);
    expect(usual.length).toBeGreaterThan(50);
    // And every other query is valid.
    await Promise.all(queries.map(({ expr }) => ask(expr)));

    await node.end();
    await redis.kill();
    const atNight = (each: (typeof queries)[number]) =>
      questions.some(({ panel, dashboard }) => each.panel === panel && each.dashboard === dashboard);
    const ofTrouble = queries.filter((each) => atNight(each) && !usual.includes(each));
    expect(new Set(ofTrouble.map(({ panel }) => panel))).toEqual(
      new Set(['Failed requests', 'Refused requests by limit', 'Lost hops by unavailable dependency']),
    );
    await vi.waitFor(async () => expect(await unanswered(ofTrouble, inTrouble)).toEqual([]), SOON);
  });
});
