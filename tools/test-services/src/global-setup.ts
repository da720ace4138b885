import type { TestProject } from 'vitest/node';
import { type Broker, startBroker } from './broker.js';
import { findPostgres, findRedisServer } from './find-binaries.js';
import type { ServiceSource } from './provided.js';
import { realServicesRequired, runsIntegration } from './required.js';

/**
 * vitest's global setup of integration tests: finds the installed servers. Starts nothing; the first test file that needs a
 * server does.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!runsIntegration) return undefined;
  const broker = await startBroker();
  try {
    const ofOwn = findRedisServer() === undefined ? undefined : { broker: broker.address };
    project.provide('testServices', {
      redisCluster: ofOwn,
      redisSentinels: ofOwn,
      redis: sourceOf('Redis', 'REDIS_URL', 'redis-server or valkey-server', findRedisServer(), broker),
      postgres: sourceOf('Postgres', 'DATABASE_URL', 'postgres with initdb', findPostgres(), broker),
    });
  } catch (error) {
    await broker.close();
    throw error;
  }
  return () => broker.close();
}

function sourceOf(
  service: string,
  variable: string,
  programs: string,
  found: object | string | undefined,
  broker: Broker,
): ServiceSource {
  const given = process.env[variable];
  const isGiven = given !== undefined && given !== '';
  if (found === undefined) {
    if (realServicesRequired()) throw new Error(`REQUIRE_REAL_SERVICES=1, but this machine has no ${programs}`);
    const skipped = isGiven ? `tests that stop a ${service} of their own` : `tests on a real ${service}`;
    console.log(`Skipped: ${skipped} (no ${programs} found${isGiven ? '' : `, ${variable} not set`})`);
  }
  if (isGiven) return { url: given };
  return found === undefined ? undefined : { broker: broker.address };
}
