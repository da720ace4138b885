export interface RedisTarget {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  readonly tls?: { readonly servername: string };
}

/**
 * Reads `redis://user:password@host:port/database`; `rediss://` means TLS. Throws without repeating the URL, which holds a
 * password.
 */
export function parseRedisUrl(url: string): RedisTarget {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const database = parsed?.pathname.replace(/^\//, '') ?? '';
  if (parsed === undefined || !/^rediss?:$/.test(parsed.protocol) || !/^\d{0,5}$/.test(database)) {
    throw new Error('the Redis URL is not of the form redis://user:password@host:port/database (rediss:// for TLS)');
  }
  const host = parsed.hostname === '' ? '127.0.0.1' : parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: parsed.port === '' ? 6379 : Number(parsed.port),
    ...(parsed.username === '' ? {} : { username: decodeURIComponent(parsed.username) }),
    ...(parsed.password === '' ? {} : { password: decodeURIComponent(parsed.password) }),
    ...(database === '' ? {} : { db: Number(database) }),
    ...(parsed.protocol === 'rediss:' ? { tls: { servername: host } } : {}),
  };
}

/** Where a Redis is, as `host:port/database` and without who asks: for logs. */
export function describeRedis({ host, port, db = 0 }: RedisTarget): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}/${db}`;
}
