import { isIP } from 'node:net';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

export interface RedisTarget {
  /** One server, some nodes of a cluster, or the sentinels that name a primary. */
  readonly kind: 'single' | 'cluster' | 'sentinel';
  readonly addresses: readonly [RedisAddress, ...RedisAddress[]];
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  readonly isTls: boolean;
  /** Name of the primary at the sentinels, and the login for the sentinels. */
  readonly sentinel?: { readonly master: string; readonly username?: string; readonly password?: string };
}

const form = /^redis(s?)(?:\+(cluster|sentinel))?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const generalProblem =
  'the Redis URL is not of the form redis://user:password@host:port/database, redis+cluster://…@host:port,host:port or redis+sentinel://…@host:port,host:port/master/database (rediss for TLS)';

/**
 * Reads `redis://user:password@host:port/database`, `redis+cluster://user:password@host:port,host:port` and
 * `redis+sentinel://user:password@host:port,host:port/master/database?sentinel_password=…`; `rediss` means TLS. Throws without
 * repeating the URL, which holds a password.
 */
export function parseRedisUrl(url: string): RedisTarget {
  const [, tls, named = 'single', userInfo = '', hosts = '', path = '', query = ''] = form.exec(url) ?? fail();
  const kind = named as RedisTarget['kind'];
  const [first = fail(), ...others] = hosts
    .split(',')
    .map((host) => addressOf(host, kind === 'sentinel' ? 26379 : 6379));
  if (kind === 'single' && others.length > 0) {
    fail('several hosts are a cluster or sentinels: redis+cluster:// or redis+sentinel://');
  }
  const [, username = '', password = ''] = /^([^:]*)(?::(.*))?$/s.exec(userInfo) ?? fail();
  const [master = '', database = ''] = kind === 'sentinel' ? path.split('/').map(decoded) : ['', path];
  if (kind === 'sentinel' && master === '') fail('redis+sentinel:// needs the name of a master: …host:port/NAME');
  if (kind === 'cluster' && database !== '') fail('a cluster has one database, so its URL must not name one');
  if (!/^\d{0,5}$/.test(database)) fail();
  const forSentinels = sentinelUser(kind, query);
  return {
    kind,
    addresses: [first, ...others],
    ...optional('username', decoded(username)),
    ...optional('password', decoded(password)),
    ...(database === '' ? {} : { db: Number(database) }),
    isTls: tls === 's',
    ...(kind === 'sentinel' ? { sentinel: { master, ...forSentinels } } : {}),
  };
}

/** The address of a Redis as `host:port/database`, without credentials: for logs. */
export function describeRedis({ kind, addresses, sentinel, db = 0 }: RedisTarget): string {
  const hosts = addresses.map(({ host, port }) => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`).join(',');
  if (kind === 'cluster') return hosts;
  return sentinel === undefined ? `${hosts}/${db}` : `${hosts}/${sentinel.master}/${db}`;
}

function addressOf(text: string, defaultPort: number): RedisAddress {
  const address = `redis://${text === '' ? '127.0.0.1' : text}`;
  if (!URL.canParse(address)) fail();
  const { hostname, port } = new URL(address);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? defaultPort : Number(port) };
}

function sentinelUser(kind: RedisTarget['kind'], query: string): { username?: string; password?: string } {
  const {
    sentinel_username: username = '',
    sentinel_password: password = '',
    ...others
  } = Object.fromEntries(new URLSearchParams(query));
  if (Object.keys(others).length > 0 || (kind !== 'sentinel' && query !== '')) {
    fail('a Redis URL has no parameters but sentinel_username and sentinel_password, of redis+sentinel://');
  }
  return { ...optional('username', username), ...optional('password', password) };
}

const optional = <Name extends string>(name: Name, value: string) =>
  (value === '' ? {} : { [name]: value }) as { [key in Name]?: string };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return fail();
  }
}

function fail(problem = generalProblem): never {
  throw new Error(problem);
}
