import type { RateLimitStore } from '@mlango/service-kit/rate-limit';

/** Messages of one member that are answered at the same time, in one process. */
export const answersAtOnce = 3;

const minuteMs = 60_000;

export type Share =
  | { readonly kind: 'granted'; readonly giveBack: () => void }
  /** `isTold`: the member has heard of it in this minute. */
  | { readonly kind: 'refused'; readonly isTold: boolean };

/**
 * Keeps one member of a workspace from taking all answers there are: so many messages a minute, over all replicas where there
 * is Redis, and so many at once.
 */
export class MemberShares {
  readonly #perMinute: number;
  readonly #counts: RateLimitStore;
  readonly #answering = new Map<string, number>();

  constructor({ perMinute, counts }: { perMinute: number; counts: RateLimitStore }) {
    this.#perMinute = perMinute;
    this.#counts = counts;
  }

  async take(memberDid: string): Promise<Share> {
    const { count } = await this.#counts.hit(`slack-member:${memberDid}`, minuteMs);
    const answering = this.#answering.get(memberDid) ?? 0;
    if (count > this.#perMinute || answering >= answersAtOnce) {
      const refusals = await this.#counts.hit(`slack-refused:${memberDid}`, minuteMs);
      return { kind: 'refused', isTold: refusals.count > 1 };
    }
    this.#answering.set(memberDid, answering + 1);
    return { kind: 'granted', giveBack: () => this.#giveBack(memberDid) };
  }

  #giveBack(memberDid: string): void {
    const left = (this.#answering.get(memberDid) ?? 1) - 1;
    if (left === 0) this.#answering.delete(memberDid);
    else this.#answering.set(memberDid, left);
  }
}
