import { publish, type RedisClient, type RedisSubscriber } from '@mlango/service-kit/redis';
import type { RunSignals, RunWord } from './run-signals.js';

const channel = 'oracle-api:{stops}';

/** Word among all processes on one Redis: the id of a session where a run has ended, and nothing where some are to stop. */
export class RedisRunSignals implements RunSignals {
  readonly #redis: RedisClient;
  readonly #listeners = new Set<(word: RunWord) => void>();

  constructor(redis: RedisClient, subscriber: RedisSubscriber) {
    this.#redis = redis;
    subscriber.listen(channel, (sessionId) => {
      const word: RunWord = sessionId === '' ? { kind: 'stop' } : { kind: 'ended', sessionId };
      for (const listener of this.#listeners) listener(word);
    });
  }

  async send(word: RunWord): Promise<void> {
    await publish(this.#redis, channel, word.kind === 'stop' ? '' : word.sessionId).catch(() => undefined);
  }

  listen(onWord: (word: RunWord) => void): () => void {
    this.#listeners.add(onWord);
    return () => this.#listeners.delete(onWord);
  }
}
