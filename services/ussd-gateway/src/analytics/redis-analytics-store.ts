import { key, type RedisClient, RedisScript } from '@mlango/service-kit/redis';
import { z } from 'zod';
import { lineOf } from '../sessions/line.js';
import { type AnalyticsStore, type CountsBatch, keptHours } from './analytics-store.js';
import { type CountsByHour, hourMs } from './counts.js';

const batchKeptMs = 600_000;

/** KEYS hour, batch; ARGV ms to keep the hour, ms to know the batch, then fields and amounts in turn. */
const addScript = new RedisScript(`
if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[2]) then return 0 end
for i = 3, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`);

/** KEYS hours. Replies fields and counts in turn, hour by hour. */
const readScript = new RedisScript(`
local hours = {}
for i = 1, #KEYS do hours[i] = redis.call('HGETALL', KEYS[i]) end
return hours
`);

const readReply = z.array(z.array(z.string()));

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
    const reply = readReply.parse(
      await readScript.run(
        this.#redis,
        hours.map((hour) => this.#keyOf(hour)),
        [],
      ),
    );
    return new Map(hours.map((hour, index) => [hour, countsOf(reply[index] ?? [])]));
  }

  #keyOf(hour: number): string {
    return key('ussd', 'analytics', lineOf('hour', this.#service), hour);
  }
}

function countsOf(parts: readonly string[]): Map<string, number> {
  return new Map(
    Array.from({ length: parts.length / 2 }, (_, index) => [parts[index * 2] ?? '', Number(parts[index * 2 + 1])]),
  );
}
