import { Redis } from 'ioredis';

const junkKey = 'full-redis:junk';
const junkBytes = 65_536;
/** Free memory before the junk: the server's own buffers grow and shrink by less. */
const spareBytes = 1_048_576;

/**
 * Fills a server with foreign data until it refuses more, by `maxmemory` and `noeviction`. `empty()` removes that data; the limit
 * stays.
 */
export async function fillRedis(url: string): Promise<{ readonly empty: () => Promise<void> }> {
  const client = new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: 5_000 });
  const used = Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))?.[1]);
  await client.config('SET', 'maxmemory-policy', 'noeviction');
  await client.config('SET', 'maxmemory', used + spareBytes);
  for (let bytes = junkBytes; bytes >= 16; ) {
    const isTaken = await client.rpush(junkKey, 'x'.repeat(bytes)).then(
      () => true,
      (error: Error) => {
        if (!error.message.startsWith('OOM')) throw error;
        return false;
      },
    );
    if (!isTaken) bytes /= 2;
  }
  // Connection buffers vary; usage well above the limit stays above it.
  await client.config('SET', 'maxmemory', used + spareBytes / 2);
  return {
    empty: async () => {
      await client.del(junkKey);
      client.disconnect();
    },
  };
}
