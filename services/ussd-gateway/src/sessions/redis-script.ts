import { createHash } from 'node:crypto';
import { ServiceError } from '@mlango/service-kit/errors';
import type { Redis } from 'ioredis';

/** A Lua script that is sent once per Redis server and then called by its digest: one round trip a call. */
export class RedisScript {
  readonly #source: string;
  readonly #digest: string;

  constructor(source: string) {
    this.#source = source;
    // Redis names scripts by SHA-1; nothing secret rests on it.
    this.#digest = createHash('sha1').update(source).digest('hex');
  }

  /**
   * All keys of one call lie in one hash slot.
   *
   * @throws {ServiceError} `unavailable`, whatever stands in the way: no connection, no answer in time, a server that
   *   is loading its data, read-only or full. The script has then run whole, or not at all.
   */
  async run(redis: Redis, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    try {
      return await this.#call(redis, keys, values);
    } catch (error) {
      throw new ServiceError('unavailable', 'Sessions cannot be reached', {
        cause: error,
        headers: { 'retry-after': '5' },
      });
    }
  }

  async #call(redis: Redis, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.#digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await redis.eval(this.#source, keys.length, ...keys, ...values);
    }
  }
}
