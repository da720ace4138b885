import type { RecoveryTicket, RecoveryTickets } from './recovery-tickets.js';

/** Tickets of one process. Those that have run out are dropped whenever one is kept. */
export class MemoryRecoveryTickets implements RecoveryTickets {
  readonly #kept = new Map<string, { readonly ticket: RecoveryTicket; readonly untilMs: number }>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async keep(secret: string, ticket: RecoveryTicket, ttlMs: number): Promise<void> {
    this.#dropOld();
    this.#kept.delete(secret);
    this.#kept.set(secret, { ticket, untilMs: this.#nowMs() + ttlMs });
  }

  async find(secret: string): Promise<RecoveryTicket | undefined> {
    const entry = this.#kept.get(secret);
    return entry !== undefined && entry.untilMs > this.#nowMs() ? entry.ticket : undefined;
  }

  async take(secret: string): Promise<RecoveryTicket | undefined> {
    const ticket = await this.find(secret);
    return this.#kept.delete(secret) ? ticket : undefined;
  }

  async drop(secret: string): Promise<void> {
    this.#kept.delete(secret);
  }

  /** They are in the order in which they were kept, and all as long: the first that is good ends the search. */
  #dropOld(): void {
    const now = this.#nowMs();
    for (const [secret, { untilMs }] of this.#kept) {
      if (untilMs > now) return;
      this.#kept.delete(secret);
    }
  }
}
