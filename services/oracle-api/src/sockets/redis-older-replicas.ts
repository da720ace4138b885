import { performance } from 'node:perf_hooks';
import { publish, publishCounted, type RedisClient } from '@mlango/service-kit/redis';

/** Interval of counting them, in ms. */
const countEveryMs = 10_000;
/** Prefix, instead of a sender, of messages for them only. */
const forThem = 'copy ';
/** A message without an effect. */
const noEffect = '{"kind":"withdraw","memberId":"","toolCallId":""}';

/** Whether replicas of this release ignore the message. */
export const isForOlderReplicas = (text: string): boolean => text.startsWith(forThem);

/** Copies messages to replicas of release 0.1, which use a single channel, during a rolling upgrade. To be removed with release 0.3. */
export class OlderReplicas {
  readonly #client: RedisClient;
  readonly #channels: { readonly theirs: string; readonly ours: string };
  readonly #countEveryMs: number;
  #counted: Promise<number> = Promise.resolve(0);
  #nextCountAtMs = 0;

  /** @param channels `theirs`: subscribed by both releases; `ours`: by this release only; both with one hash tag */
  constructor(
    client: RedisClient,
    channels: { readonly theirs: string; readonly ours: string },
    everyMs = countEveryMs,
  ) {
    this.#client = client;
    this.#channels = channels;
    this.#countEveryMs = everyMs;
  }

  /** Resolves with the number of receivers. */
  async publish(json: string): Promise<number> {
    const count = await this.#count();
    if (count > 0) await publish(this.#client, this.#channels.theirs, `${forThem}${json}`);
    return count;
  }

  #count(): Promise<number> {
    if (performance.now() < this.#nextCountAtMs) return this.#counted;
    this.#nextCountAtMs = performance.now() + this.#countEveryMs;
    this.#counted = this.#countSubscribers().catch(() => {
      this.#nextCountAtMs = 0;
      return 0;
    });
    return this.#counted;
  }

  async #countSubscribers(): Promise<number> {
    const { theirs, ours } = this.#channels;
    const [all = 0, own = 0] = await Promise.all(
      [theirs, ours].map((channel) => publishCounted(this.#client, channel, `${forThem}${noEffect}`)),
    );
    if (!Number.isFinite(all - own)) throw new Error('number of subscribers unknown');
    return Math.max(0, all - own);
  }
}
