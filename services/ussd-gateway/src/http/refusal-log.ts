import { type Logger, maskAddress } from '@mlango/service-kit/logging';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The aggregator of this endpoint. */
    aggregator?: string;
  }
}

/** Over the limit of an address or phone, or not a known caller of the aggregator. */
export type RefusalReason = 'address' | 'phone' | 'origin';

interface Refused {
  /** Masked. */
  readonly address: string;
  /** `none` on routes without an aggregator. */
  readonly aggregator: string;
  readonly reason: RefusalReason;
  times: number;
}

const logEveryMs = 60_000;
/** Entries of one log line. */
const maxEntries = 20;

/**
 * Logs refused requests as one line a minute: an aggregator that is not recognised sends thousands. The line has neither phone numbers nor
 * whole addresses.
 */
export class RefusalLog {
  readonly #logger: Logger;
  readonly #refused = new Map<string, Refused>();
  #others = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  record(request: FastifyRequest, reason: RefusalReason): void {
    const { aggregator = 'none' } = request.routeOptions.config;
    const address = maskAddress(request.ip);
    const name = `${address} ${aggregator} ${reason}`;
    const known = this.#refused.get(name);
    if (known !== undefined) known.times += 1;
    else if (this.#refused.size < maxEntries) this.#refused.set(name, { address, aggregator, reason, times: 1 });
    else this.#others += 1;
    this.#timer ??= setTimeout(() => this.#log(), logEveryMs).unref();
  }

  /** Logs the remaining entries. */
  close(): void {
    if (this.#timer !== undefined) this.#log();
  }

  #log(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const refused = [...this.#refused.values()].sort((a, b) => b.times - a.times);
    this.#logger.warn({ refused, others: this.#others }, 'requests were refused in the last minute');
    this.#refused.clear();
    this.#others = 0;
  }
}
