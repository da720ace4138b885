import type { FairSemaphoreOptions } from '@mlango/async/fair-semaphore';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';

/** Concurrent answers per process and per member. All members share Slack's addresses, so the member's DID replaces the address. */
export const answersPool: FairSemaphoreOptions<'user' | 'address'> = {
  name: 'answers',
  total: 100,
  shares: { user: 3, address: 3 },
};

const minuteMs = 60_000;

export type Share =
  | { readonly kind: 'granted' }
  /** `isNotified`: the member has been notified in this minute. */
  | { readonly kind: 'refused'; readonly isNotified: boolean };

/** Limits the messages of one member of a workspace in a minute, across all replicas if Redis is configured. */
export class MemberShares {
  readonly #perMinute: number;
  readonly #counts: RateLimitStore;

  constructor({ perMinute, counts }: { perMinute: number; counts: RateLimitStore }) {
    this.#perMinute = perMinute;
    this.#counts = counts;
  }

  /** @param hasPermit whether the member's message has a permit of the pool of answers */
  async take(memberDid: string, hasPermit: boolean): Promise<Share> {
    const { count } = await this.#counts.hit(`slack-member:${memberDid}`, minuteMs);
    if (hasPermit && count <= this.#perMinute) return { kind: 'granted' };
    const refusals = await this.#counts.hit(`slack-refused:${memberDid}`, minuteMs);
    return { kind: 'refused', isNotified: refusals.count > 1 };
  }
}
