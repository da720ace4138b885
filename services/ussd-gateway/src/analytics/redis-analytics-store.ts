import { key, type RedisClient, RedisScript } from '@mlango/service-kit/redis';
import { scoped } from '../sessions/session-scope.js';
import { type AnalyticsStore, type CountsBatch, type CountsByHour, hourMs, retentionHours } from './counts.js';

const batchRetentionMs = 600_000;

/** KEYS hour, batch; ARGV ms to store the hour, ms to remember the batch, then fields and amounts. */
const addScript = new RedisScript(`
if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[2]) then return 0 end
for i = 3, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`);

/** Counts of a tenant, shared by all processes on one Redis or Valkey: a hash for each hour, all under one hash tag. */
export class RedisAnalyticsStore implements AnalyticsStore {
  readonly #redis: RedisClient;
  readonly #tenant: string;

  /** @param tenant the owner of the counts. */
  constructor(redis: RedisClient, tenant: string) {
    this.#redis = redis;
    this.#tenant = tenant;
  }

  async add({ id, hour, counts }: CountsBatch): Promise<void> {
    const keys = [this.#keyOf(hour), key('ussd', 'analytics', 'batch', id)];
    await addScript.run(this.#redis, keys, [retentionHours * hourMs, batchRetentionMs, ...[...counts].flat()]);
  }

  async read(fromHour: number, toHour: number): Promise<CountsByHour> {
    const hours = Array.from({ length: toHour - fromHour + 1 }, (_, index) => fromHour + index);
    // One command for each hour, so that other calls are served in between.
    const counts = await Promise.all(hours.map((hour) => this.#redis.hgetall(this.#keyOf(hour))));
    return new Map(hours.map((hour, index) => [hour, countsOf(counts[index] ?? {})]));
  }

  #keyOf(hour: number): string {
    return key('ussd', 'analytics', scoped('hour', this.#tenant), hour);
  }
}

const countsOf = (fields: Readonly<Record<string, string>>): Map<string, number> =>
  new Map(Object.entries(fields).map(([field, count]) => [field, Number(count)]));
