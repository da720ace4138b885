import { createHash } from 'node:crypto';
import { key, type RedisClient } from '@mlango/service-kit/redis';
import { type RecoveryTicket, type RecoveryTickets, recoveryTicket } from './member.js';

/** Tickets of one process. Saving a ticket drops expired ones. */
export class MemoryRecoveryTickets implements RecoveryTickets {
  readonly #tickets = new Map<string, { readonly ticket: RecoveryTicket; readonly untilMs: number }>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async save(secret: string, ticket: RecoveryTicket, ttlMs: number): Promise<void> {
    this.#dropExpired();
    this.#tickets.delete(secret);
    this.#tickets.set(secret, { ticket, untilMs: this.#nowMs() + ttlMs });
  }

  async find(secret: string): Promise<RecoveryTicket | undefined> {
    const entry = this.#tickets.get(secret);
    return entry !== undefined && entry.untilMs > this.#nowMs() ? entry.ticket : undefined;
  }

  async take(secret: string): Promise<RecoveryTicket | undefined> {
    const ticket = await this.find(secret);
    return this.#tickets.delete(secret) ? ticket : undefined;
  }

  async drop(secret: string): Promise<void> {
    this.#tickets.delete(secret);
  }

  /** Tickets are in order of expiry, so the first valid one ends the loop. */
  #dropExpired(): void {
    const now = this.#nowMs();
    for (const [secret, { untilMs }] of this.#tickets) {
      if (untilMs > now) return;
      this.#tickets.delete(secret);
    }
  }
}

/** Tickets in Redis, shared by all replicas. Keys contain digests of the secrets. */
export function redisRecoveryTickets(client: RedisClient): RecoveryTickets {
  const keyOf = (secret: string) =>
    key('oracle-api', createHash('sha256').update(secret).digest('base64url'), 'recovery');
  return {
    async save(secret, ticket, ttlMs) {
      await client.set(keyOf(secret), JSON.stringify(ticket), 'PX', ttlMs);
    },
    async find(secret) {
      return read(await client.get(keyOf(secret)));
    },
    async take(secret) {
      return read(await client.getdel(keyOf(secret)));
    },
    async drop(secret) {
      await client.del(keyOf(secret));
    },
  };
}

/** A ticket of an older version without a right is ignored. */
function read(text: string | null): RecoveryTicket | undefined {
  return text === null ? undefined : recoveryTicket.safeParse(JSON.parse(text)).data;
}
