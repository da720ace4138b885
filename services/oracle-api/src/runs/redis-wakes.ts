import type { RedisSubscriber } from '@mlango/service-kit/redis';
import type { Wake } from './wake.js';

/** How long a waiter waits for its subscription; without one it still looks from time to time. */
const subscribeLimitMs = 500;

/** Many waiters on one subscribed connection: a channel is subscribed to while somebody waits on it. */
export class RedisWakes {
  readonly #subscriber: RedisSubscriber;
  readonly #wakes = new Map<string, Set<Wake>>();

  constructor(subscriber: RedisSubscriber) {
    this.#subscriber = subscriber;
    subscriber.on('message', (channel: string) => {
      for (const wake of this.#wakes.get(channel) ?? []) wake.tell();
    });
  }

  /** Resolves when word arrives from now on; with Redis away soon after, and word arrives once Redis is back. */
  async listen(channel: string, wake: Wake): Promise<void> {
    const others = this.#wakes.get(channel);
    others?.add(wake);
    if (others === undefined) {
      this.#wakes.set(channel, new Set([wake]));
      await soon(this.#subscriber.subscribe(channel));
    }
  }

  /** Safe to call for one that does not listen. */
  leave(channel: string, wake: Wake): void {
    const wakes = this.#wakes.get(channel);
    wakes?.delete(wake);
    if (wakes?.size !== 0) return;
    this.#wakes.delete(channel);
    this.#subscriber.unsubscribe(channel).catch(() => undefined);
  }
}

async function soon(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, subscribeLimitMs);
  });
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
