import { key, publish, type RedisClient, type RedisSubscriber } from '@mlango/service-kit/redis';
import { z } from 'zod';
import { parseJson } from '../parse-json.js';
import type { RunSignal, RunSignals } from './signals.js';

const channel = 'oracle-api:{stops}';
const channelOf = (sessionId: string) => key('oracle-api', sessionId, 'ended');
const ids = z.array(z.string());

/**
 * Signals over Redis: one channel for the ids of runs to stop, and one per session for ended runs, subscribed to by processes with queued
 * runs there. Release 0.1 uses the first channel for both: an empty text for stop, the session id for ended.
 */
export class RedisRunSignals implements RunSignals {
  readonly #redis: RedisClient;
  readonly #subscriber: RedisSubscriber;
  readonly #listeners = new Set<(word: RunSignal) => void>();

  constructor(redis: RedisClient, subscriber: RedisSubscriber) {
    this.#redis = redis;
    this.#subscriber = subscriber;
    subscriber.listen(channel, (text) => {
      const runIds = ids.safeParse(parseJson(text)).data;
      if (runIds !== undefined) this.#tell({ kind: 'stop', runIds });
      else this.#tell(text === '' ? { kind: 'stop' } : { kind: 'ended', sessionId: text });
    });
  }

  async send(word: RunSignal): Promise<void> {
    const said =
      word.kind === 'ended'
        ? publish(this.#redis, channelOf(word.sessionId), '')
        : publish(this.#redis, channel, word.runIds === undefined ? '' : JSON.stringify(word.runIds));
    await said.catch(() => undefined);
  }

  listen(onWord: (word: RunSignal) => void): () => void {
    this.#listeners.add(onWord);
    return () => this.#listeners.delete(onWord);
  }

  async follow(sessionId: string): Promise<() => void> {
    const tell = () => this.#tell({ kind: 'ended', sessionId });
    const { within, end } = this.#subscriber.listen(channelOf(sessionId), tell);
    await within();
    tell();
    return end;
  }

  #tell(word: RunSignal): void {
    for (const listener of this.#listeners) listener(word);
  }
}
