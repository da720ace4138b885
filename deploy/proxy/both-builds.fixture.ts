import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endPrograms, runProgram } from '@mlango/test-services/program';
import { findProgram } from '@mlango/test-services/proxy-process';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { expect } from 'vitest';
import type { Work } from './disturbance.fixture.js';
import type { Door, RunningProxy } from './doors.fixture.js';
import { startNginx } from './nginx.fixture.js';
import { type Replica, startReplica, startTwo } from './replica.fixture.js';

type Env = Readonly<Record<string, string>>;

/** A build of the release before this tree, by `npm run test:upgrade`. */
const before = process.env['RELEASE_BEFORE'];
const here = fileURLToPath(new URL('../..', import.meta.url));
const nginx = findProgram('nginx');

/** `describe.skipIf(!canRollOut)`. */
export const canRollOut =
  before !== undefined && nginx !== undefined && postgresUrl !== undefined && redisUrl !== undefined;

/** One service in two builds, on stores that both use. */
export async function bothBuilds(service: string, settings: Env) {
  const [redis, database] = await Promise.all([freshRedis(), freshDatabase()]);
  const main = `services/${service}/dist/main.js`;
  const now = join(here, main);
  const earlier = join(before ?? '', main);
  const stores: Env = { NODE_ENV: 'production', REDIS_URL: redis.url, DATABASE_URL: database.url };
  const env = { ...stores, DRAIN_DELAY_MS: '100', ...settings };
  let proxy: RunningProxy | undefined;
  /** Like the step of a roll-out before the first replica, while those of the earlier build serve. */
  const migrate = async () => {
    if (!existsSync(join(here, 'services', service, 'drizzle'))) return;
    const { exit, output } = runProgram([now, 'migrate'], { env });
    expect(await exit, output()).toBe(0);
  };
  return {
    database,
    /** Behind nginx, two replicas of the earlier build. */
    behindProxy: async () => {
      const replicas = await startTwo(earlier, { ...env, TRUST_PROXY_ENABLED: 'true' });
      const two = [replicas[0].address, replicas[1].address] as const;
      const upstreams = { ussd: two, oracle: two, chain: two, playground: two } satisfies Record<Door, typeof two>;
      proxy = await startNginx(nginx ?? '', upstreams);
      return { replicas, proxy };
    },
    /** A replica of each, on the tables of this build. */
    sideBySide: async (more: Env = {}) => {
      const old = await startReplica(earlier, { ...env, ...more });
      await migrate();
      return [old, await startReplica(now, { ...env, ...more })] as const;
    },
    /** While work is under way: this build replaces the earlier one, and is then replaced by it. */
    thereAndBack: (replicas: readonly Replica[], work: Work) =>
      work.during(async () => {
        await migrate();
        const steps = [now, earlier].flatMap((build) => replicas.map((replica) => ({ build, replica })));
        for (const [index, { build, replica }] of steps.entries()) {
          await work.reached((index + 1) / (steps.length + 1));
          expect(await replica.stop()).toBe(0);
          await replica.start(build);
        }
      }),
    end: async () => {
      await proxy?.stop();
      await endPrograms();
      await Promise.all([redis.drop(), database.drop()]);
    },
  };
}
