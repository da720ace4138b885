import { createHash } from 'node:crypto';
import type { RedisClient } from './redis-client.js';

/** A Lua script that is sent once per Redis server and then called by its digest. All keys of a call lie in one slot. */
export class RedisScript {
  readonly #source: string;
  readonly #digest: string;

  constructor(source: string) {
    this.#source = source;
    // Redis identifies scripts by SHA-1; this is not a security use.
    this.#digest = createHash('sha1').update(source).digest('hex');
  }

  async run(
    redis: RedisClient,
    keys: readonly string[],
    values: readonly (string | number | Buffer)[],
  ): Promise<unknown> {
    try {
      return await redis.evalsha(this.#digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await redis.eval(this.#source, keys.length, ...keys, ...values);
    }
  }
}
