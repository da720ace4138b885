export interface PostgresHost {
  readonly host: string;
  readonly port: number;
}

const form = 'postgres://user:password@host:port/database';
const kind = /^postgres(?:ql)?:$/;
const list = /^([a-z]+:\/\/(?:[^@/?]*@)?)([^/?@]*)(.*)$/;
const usualPort = 5432;

/** An address of Postgres, which may name several hosts: `postgres://user:password@one:5432,other:5432/database`. */
export interface PostgresAddress {
  /** All of them, in their order. */
  readonly hosts: readonly PostgresHost[];
  /** The same address with the first host only. */
  readonly first: URL;
}

/** @throws without repeating the URL, which holds a password. */
export function parsePostgresUrl(url: string): PostgresAddress {
  const [, start = '', hosts = '', rest = ''] = list.exec(url) ?? [];
  const each = hosts.split(',').map((host) => `${start}${host}${rest}`);
  const parsed = each.map((one) => (URL.canParse(one) ? new URL(one) : undefined));
  const first = parsed[0];
  if (first === undefined || parsed.some((one) => one === undefined || !kind.test(one.protocol))) {
    throw new Error(`the database URL is not of the form ${form}`);
  }
  if (each.length > 1 && hosts.split(',').includes('')) throw new Error('the database URL names a host that is empty');
  return { hosts: parsed.flatMap((one) => (one === undefined ? [] : hostOf(one))), first };
}

/** Hosts and database of a URL, without credentials: for logs. Throws like `parsePostgresUrl`. */
export function describeTarget(url: string): string {
  const { hosts, first } = parsePostgresUrl(url);
  return `${hosts.map(({ host, port }) => `${host}:${port}`).join()}${first.pathname}`;
}

function hostOf({ hostname, port }: URL): PostgresHost {
  const host = hostname === '' ? 'localhost' : hostname;
  return { host, port: port === '' ? usualPort : Number(port) };
}
