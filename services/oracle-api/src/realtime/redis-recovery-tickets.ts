import { createHash } from 'node:crypto';
import { key, type RedisClient } from '@mlango/service-kit/redis';
import { type RecoveryTicket, type RecoveryTickets, recoveryTicket } from './recovery-tickets.js';

/** Tickets in Redis, for all replicas: a client may come back to another one. The secrets themselves are not in the keys. */
export function redisRecoveryTickets(client: RedisClient): RecoveryTickets {
  const keyOf = (secret: string) =>
    key('oracle-api', createHash('sha256').update(secret).digest('base64url'), 'recovery');
  return {
    async keep(secret, ticket, ttlMs) {
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
