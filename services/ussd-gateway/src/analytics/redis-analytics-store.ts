import { key, type RedisClient, RedisScript } from '@mlango/service-kit/redis';
import { scoped } from '../sessions/session-scope.js';
import { type AnalyticsStore, type CountsBatch, type CountsByHour, hourMs, keptHours } from './counts.js';

const batchKeptMs = 600_000;

/** KEYS hour, batch; ARGV ms to keep the hour, ms to know the batch, then fields and amounts in turn. */
const addScript = new RedisScript(`
if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[2]) then return 0 end
for i = 3, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`);

/** Counts of a service from all processes on one Redis or Valkey: a hash an hour, all under one hash tag. */
export class RedisAnalyticsStore implements AnalyticsStore {
  readonly #redis: RedisClient;
  readonly #service: string;

  /** @param service whose counts they are. */
  constructor(redis: RedisClient, service: string) {
    this.#redis = redis;
    this.#service = service;
  }

  async add({ id, hour, counts }: CountsBatch): Promise<void> {
    const keys = [this.#keyOf(hour), key('ussd', 'analytics', 'batch', id)];
    await addScript.run(this.#redis, keys, [keptHours * hourMs, batchKeptMs, ...[...counts].flat()]);
  }

  async read(fromHour: number, toHour: number): Promise<CountsByHour> {
    const hours = Array.from({ length: toHour - fromHour + 1 }, (_, index) => fromHour + index);
    // An hour a command: calls of others come in between, however many screens there are.
    const counts = await Promise.all(hours.map((hour) => this.#redis.hgetall(this.#keyOf(hour))));
    return new Map(hours.map((hour, index) => [hour, countsOf(counts[index] ?? {})]));
  }

  #keyOf(hour: number): string {
    return key('ussd', 'analytics', scoped('hour', this.#service), hour);
  }
}

const countsOf = (fields: Readonly<Record<string, string>>): Map<string, number> =>
  new Map(Object.entries(fields).map(([field, count]) => [field, Number(count)]));
