import { performance } from 'node:perf_hooks';
import { publish, publishCounted, type RedisClient } from '@mlango/service-kit/redis';

/** How often they are counted while something is told, in ms. */
const countEveryMs = 10_000;
/** What is said for them alone begins with this in the place of a sender. */
const forThem = 'copy ';
/** What they do nothing about. */
const nothing = '{"kind":"withdraw","memberId":"","toolCallId":""}';

/** Whether replicas of this release pass it over. */
export const isForOlderReplicas = (text: string): boolean => text.startsWith(forThem);

/**
 * Replicas of release 0.1, which say and hear everything on one channel. While there are some, as in the middle of a roll-out, they are
 * told there what the others are told elsewhere. To be taken away with release 0.3.
 */
export class OlderReplicas {
  readonly #client: RedisClient;
  readonly #channels: { readonly theirs: string; readonly ours: string };
  readonly #countEveryMs: number;
  #counted: Promise<number> = Promise.resolve(0);
  #countAgainAtMs = 0;

  /** @param channels one that replicas of both releases hear, and one that those of this release hear as well; both of one hash tag */
  constructor(
    client: RedisClient,
    channels: { readonly theirs: string; readonly ours: string },
    everyMs = countEveryMs,
  ) {
    this.#client = client;
    this.#channels = channels;
    this.#countEveryMs = everyMs;
  }

  /** Resolves with how many were told. */
  async publish(json: string): Promise<number> {
    const count = await this.#count();
    if (count > 0) await publish(this.#client, this.#channels.theirs, `${forThem}${json}`);
    return count;
  }

  #count(): Promise<number> {
    if (performance.now() < this.#countAgainAtMs) return this.#counted;
    this.#countAgainAtMs = performance.now() + this.#countEveryMs;
    this.#counted = this.#look().catch(() => {
      this.#countAgainAtMs = 0;
      return 0;
    });
    return this.#counted;
  }

  async #look(): Promise<number> {
    const { theirs, ours } = this.#channels;
    const [all = 0, own = 0] = await Promise.all(
      [theirs, ours].map((channel) => publishCounted(this.#client, channel, `${forThem}${nothing}`)),
    );
    if (!Number.isFinite(all - own)) throw new Error('nobody can say');
    return Math.max(0, all - own);
  }
}
