import type { Redis } from 'ioredis';
import type { RedisSubscriber } from './redis-client.js';

/**
 * What is wanted is asked for at each new connection until nobody wants it. The client's own way forgets all channels where a connection goes
 * before it has confirmed them, as happens when a primary is found and sentinels then say that it has changed.
 */
export function patientSubscriber(redis: Redis): RedisSubscriber {
  const wanted = new Set<string>();
  const waiting = new Set<() => void>();
  redis.on('ready', () => {
    if (wanted.size === 0) return;
    const told = [...waiting];
    const confirm = () => {
      for (const resolve of told) resolve();
    };
    // What fails with its connection is asked for by the next one.
    redis.subscribe(...wanted).then(confirm, () => undefined);
  });
  return {
    subscribe: (...channels) => {
      for (const channel of channels) wanted.add(channel);
      return new Promise<void>((resolve, reject) => {
        const settle = () => {
          waiting.delete(settle);
          resolve();
        };
        waiting.add(settle);
        redis.subscribe(...channels).then(settle, (error: Error) => {
          waiting.delete(settle);
          for (const channel of channels) wanted.delete(channel);
          reject(error);
        });
      });
    },
    unsubscribe: (...channels) => {
      for (const channel of channels) wanted.delete(channel);
      return redis.unsubscribe(...channels);
    },
    on: (event, listener) => redis.on(event, listener),
  };
}
