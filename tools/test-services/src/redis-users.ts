import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from './servers.js';
import { asUser, giveUsers } from './shipped-users.js';

export interface SharedRedis extends Pick<RedisServer, 'remove'> {
  /** URL for a user of the shipped file, such as `mlango-ussd`. */
  readonly urlOf: (user: string) => string;
  /** All keys there are. */
  readonly keys: () => Promise<string[]>;
  /** All refusals since the start: command, key, channel or password, with the user. */
  readonly refusals: () => Promise<string[]>;
}

/** A Redis of a test's own, with the users of the file for operators. */
export async function startSharedRedis(): Promise<SharedRedis> {
  const server = await startRedis();
  const admin = new Redis(server.url);
  await giveUsers(admin);
  return {
    urlOf: (user) => asUser(server.url, user),
    keys: () => admin.keys('*'),
    refusals: async () => {
      const entries = (await admin.call('ACL', 'LOG')) as unknown[][];
      return entries.map((entry) => {
        const fields = new Map(entry.map((value, index) => [value, entry[index + 1]]));
        return ['reason', 'object', 'username'].map((name) => String(fields.get(name))).join(' ');
      });
    },
    remove: async () => {
      admin.disconnect();
      await server.remove();
    },
  };
}
