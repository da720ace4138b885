import { type Logger, maskAddress } from '@mlango/service-kit/logging';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The aggregator whose endpoint this is. */
    aggregator?: string;
  }
}

/** Over the limit of an address or of a phone, or not sent by the aggregator whose endpoint was called. */
export type RefusalReason = 'address' | 'phone' | 'origin';

interface Refused {
  /** Masked. */
  readonly address: string;
  /** Whose endpoint was called; `none` on other routes. */
  readonly aggregator: string;
  readonly reason: RefusalReason;
  times: number;
}

const logEveryMs = 60_000;
/** Kept for one line of the log; a flood from everywhere makes it no longer. */
const maxKept = 20;

/**
 * Logs who was refused, as one line a minute: a gateway that is taken for a stranger sends thousands of requests. The first of a minute starts it. There are no phone numbers in it, and no whole addresses.
 */
export class RefusalLog {
  readonly #logger: Logger;
  readonly #kept = new Map<string, Refused>();
  #others = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  record(request: FastifyRequest, reason: RefusalReason): void {
    const { aggregator = 'none' } = request.routeOptions.config;
    const address = maskAddress(request.ip);
    const name = `${address} ${aggregator} ${reason}`;
    const kept = this.#kept.get(name);
    if (kept !== undefined) kept.times += 1;
    else if (this.#kept.size < maxKept) this.#kept.set(name, { address, aggregator, reason, times: 1 });
    else this.#others += 1;
    this.#timer ??= setTimeout(() => this.#log(), logEveryMs).unref();
  }

  /** Logs what is left. */
  close(): void {
    if (this.#timer !== undefined) this.#log();
  }

  #log(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const refused = [...this.#kept.values()].sort((a, b) => b.times - a.times);
    this.#logger.warn({ refused, others: this.#others }, 'requests were refused in the last minute');
    this.#kept.clear();
    this.#others = 0;
  }
}
