import { parseJson } from '@mlango/service-kit/parse-json';
import { key, publish, type RedisClient, type RedisSubscriber } from '@mlango/service-kit/redis';
import { z } from 'zod';
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
  readonly #listeners = new Set<(signal: RunSignal) => void>();

  constructor(redis: RedisClient, subscriber: RedisSubscriber) {
    this.#redis = redis;
    this.#subscriber = subscriber;
    subscriber.listen(channel, (text) => {
      const runIds = ids.safeParse(parseJson(text)).data;
      if (runIds !== undefined) this.#emit({ kind: 'stop', runIds });
      else this.#emit(text === '' ? { kind: 'stop' } : { kind: 'ended', sessionId: text });
    });
  }

  async send(signal: RunSignal): Promise<void> {
    const published =
      signal.kind === 'ended'
        ? publish(this.#redis, channelOf(signal.sessionId), '')
        : publish(this.#redis, channel, signal.runIds === undefined ? '' : JSON.stringify(signal.runIds));
    await published.catch(() => undefined);
  }

  listen(onSignal: (signal: RunSignal) => void): () => void {
    this.#listeners.add(onSignal);
    return () => this.#listeners.delete(onSignal);
  }

  async follow(sessionId: string): Promise<() => void> {
    const emit = () => this.#emit({ kind: 'ended', sessionId });
    const { within, end } = this.#subscriber.listen(channelOf(sessionId), emit);
    await within();
    emit();
    return end;
  }

  #emit(signal: RunSignal): void {
    for (const listener of this.#listeners) listener(signal);
  }
}
