import type { Redis } from 'ioredis';

/** What servers call it, and what we do. */
const names: Readonly<Record<string, string>> = { master: 'primary', slave: 'replica' };

/** Whether a server is the `primary` or a `replica`; undefined where it does not say so or may not be asked. Never rejects. */
export async function redisRole(client: Redis): Promise<string | undefined> {
  const info = await client.info('replication').catch(() => '');
  const role = /^role:([a-z]{1,20})\r?$/m.exec(info)?.[1];
  return role === undefined ? undefined : (names[role] ?? role);
}
