import type { FairSemaphore } from '@mlango/async/fair-semaphore';
import type { Metrics } from '@mlango/service-kit/metrics';
import { readGauge } from '@mlango/service-kit/metrics';

/** A limit of bytes in use at the same time. */
export class ByteBudget {
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** False when the budget is exhausted. An idle budget admits any size, so that no reply is too large forever. */
  take(bytes: number): boolean {
    if (this.#bytes > 0 && this.#bytes + bytes > this.#limitBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** Bytes of replies in flight, from nodes and to clients. Bytes that wait for clients have a share per address. */
export class ReplyBytes extends ByteBudget {
  readonly readers: FairSemaphore<'address'>;

  constructor(readers: FairSemaphore<'address'>) {
    super(readers.total);
    this.readers = readers;
  }
}

/** Reports the bytes of replies in flight. */
export function replyBytesMetrics(metrics: Metrics, budget: ByteBudget): void {
  const help = 'Bytes of replies in flight, from nodes and to clients.';
  readGauge(metrics, 'proto_gateway_reply_bytes_in_flight', help, () => budget.bytes);
}
