import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

const shipped = new URL('../../../deploy/redis/users.acl', import.meta.url);
const password = 'of-a-user';

/** Configures a server with the users of the file for operators. */
export async function giveUsers(admin: Redis): Promise<void> {
  for (const line of readFileSync(shipped, 'utf8').split('\n')) {
    const [kind, user = '', ...rules] = line.split(' ');
    // The user of the tests stays enabled.
    if (kind !== 'user' || user === 'default') continue;
    await admin.call('ACL', 'SETUSER', user, ...rules.map((rule) => rule.replace('change-me', password)));
  }
}

/** An address with one of these users in it, `mlango-ussd` and the like. */
export function asUser(url: string, user: string): string {
  return url.replace(/\/\/[^@]*@/, `//${user}:${password}@`);
}
