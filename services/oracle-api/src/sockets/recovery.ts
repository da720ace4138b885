import { createHash } from 'node:crypto';
import { key, type RedisClient } from '@mlango/service-kit/redis';
import { type RecoveryTicket, type RecoveryTickets, recoveryTicket } from './member.js';

/** Tickets of one process. Those that have run out are dropped whenever one is kept. */
export class MemoryRecoveryTickets implements RecoveryTickets {
  readonly #kept = new Map<string, { readonly ticket: RecoveryTicket; readonly untilMs: number }>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async save(secret: string, ticket: RecoveryTicket, ttlMs: number): Promise<void> {
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

/** Tickets in Redis, for all replicas: a client may come back to another one. The secrets themselves are not in the keys. */
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

/** One that does not say what was shown, as an older version kept them, is none. */
function read(text: string | null): RecoveryTicket | undefined {
  return text === null ? undefined : recoveryTicket.safeParse(JSON.parse(text)).data;
}
