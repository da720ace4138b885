import type { Redis } from 'ioredis';
import type { StopSignals } from './stop-signals.js';

const channel = 'oracle-api:{stops}';

/** Word among all processes on one Redis. */
export class RedisStopSignals implements StopSignals {
  readonly #redis: Redis;
  readonly #listeners = new Set<() => void>();

  constructor(redis: Redis, subscriber: Redis) {
    this.#redis = redis;
    subscriber.on('message', (name: string) => {
      if (name === channel) for (const listener of this.#listeners) listener();
    });
    subscriber.subscribe(channel).catch(() => undefined);
  }

  async send(): Promise<void> {
    await this.#redis.publish(channel, '').catch(() => undefined);
  }

  listen(onSignal: () => void): () => void {
    this.#listeners.add(onSignal);
    return () => this.#listeners.delete(onSignal);
  }
}
