import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A Lua script on one key, sent once per server and then called by its digest. */
export class RedisScript {
  readonly #source: string;
  readonly #digest: string;

  constructor(source: string) {
    this.#source = source;
    // Redis names scripts by SHA-1; nothing secret rests on it.
    this.#digest = createHash('sha1').update(source).digest('hex');
  }

  async run(redis: Redis, key: string, value: number): Promise<unknown> {
    try {
      return await redis.evalsha(this.#digest, 1, key, value);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(this.#source, 1, key, value);
    }
  }
}
