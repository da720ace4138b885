import { publish, type RedisClient, type RedisSubscriber } from '@mlango/service-kit/redis';
import type { RunSignals, RunWord } from './run-signals.js';

const channel = 'oracle-api:{stops}';

/** Word among all processes on one Redis: the id of a session where a run has ended, and nothing where some are to stop. */
export class RedisRunSignals implements RunSignals {
  readonly #redis: RedisClient;
  readonly #listeners = new Set<(word: RunWord) => void>();

  constructor(redis: RedisClient, subscriber: RedisSubscriber) {
    this.#redis = redis;
    subscriber.on('message', (name: string, sessionId: string) => {
      if (name !== channel) return;
      const word: RunWord = sessionId === '' ? { kind: 'stop' } : { kind: 'ended', sessionId };
      for (const listener of this.#listeners) listener(word);
    });
    subscriber.subscribe(channel).catch(() => undefined);
  }

  async send(word: RunWord): Promise<void> {
    await publish(this.#redis, channel, word.kind === 'stop' ? '' : word.sessionId).catch(() => undefined);
  }

  listen(onWord: (word: RunWord) => void): () => void {
    this.#listeners.add(onWord);
    return () => this.#listeners.delete(onWord);
  }
}
