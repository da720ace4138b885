import type { Redis } from 'ioredis';

export interface ServerInfo {
  /** `primary` or `replica`; undefined where the server does not say so or may not be asked. */
  readonly role?: string;
  /** Why a client of one server cannot work with it. */
  readonly problem?: string;
}

/** What servers call it, and what we do. */
const roles: Readonly<Record<string, string>> = { master: 'primary', slave: 'replica' };

/** What a server says of itself. Never rejects. */
export async function serverInfo(client: Redis): Promise<ServerInfo> {
  const info = await client.info().catch(() => '');
  const said = (name: string) => new RegExp(`^${name}:([a-z0-9]{1,20})\\r?$`, 'm').exec(info)?.[1];
  const role = said('role');
  if (said('cluster_enabled') === '1') {
    return { problem: 'is a node of a cluster, which needs redis+cluster:// and its nodes' };
  }
  if (role === 'sentinel' || said('(?:redis|server)_mode') === 'sentinel') {
    return { problem: 'is a sentinel, which needs redis+sentinel:// and the name of a master' };
  }
  return role === undefined ? {} : { role: roles[role] ?? role };
}

/** Why asking a server failed that is there and of another kind than the client takes it for; undefined for any other failure. */
export function wrongKind(kind: 'single' | 'cluster' | 'sentinel', failure: string): string | undefined {
  if (kind === 'cluster' && /cluster support disabled|unknown command/i.test(failure)) {
    return 'is no node of a cluster: one server is redis://';
  }
  if (kind !== 'sentinel') return undefined;
  if (/unknown command/i.test(failure)) return 'is no sentinel: one server is redis://, a cluster redis+cluster://';
  return failure.includes('No such master') ? 'is unknown to its sentinels by that name' : undefined;
}
