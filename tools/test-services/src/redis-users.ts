import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from './servers.js';

const shipped = new URL('../../../deploy/redis/users.acl', import.meta.url);

export interface SharedRedis extends Pick<RedisServer, 'remove'> {
  /** Of a user of the shipped file, `mlango-ussd` and the like. */
  readonly urlOf: (user: string) => string;
  /** All keys there are. */
  readonly keys: () => Promise<string[]>;
  /** What was refused to anybody since the start: command, key, channel or password, and of which user. */
  readonly refusals: () => Promise<string[]>;
}

/** A Redis of one's own whose users are those of the file that operators are given. */
export async function startSharedRedis(): Promise<SharedRedis> {
  const server = await startRedis();
  const admin = new Redis(server.url);
  const password = 'of-a-user';
  for (const line of readFileSync(shipped, 'utf8').split('\n')) {
    const [kind, user = '', ...rules] = line.split(' ');
    // The one that tests come in by stays on.
    if (kind !== 'user' || user === 'default') continue;
    await admin.call('ACL', 'SETUSER', user, ...rules.map((rule) => rule.replace('change-me', password)));
  }
  return {
    urlOf: (user) => {
      const url = new URL(server.url);
      url.username = user;
      url.password = password;
      return url.href;
    },
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
