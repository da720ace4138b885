import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchPostgres } from './postgres-server.js';
import type { RealServer } from './real-server.js';
import { launchRedisCluster } from './redis-cluster.js';
import { launchRedisSentinels } from './redis-sentinels.js';
import { launchRedis } from './redis-server.js';

export type ServiceName = 'redis' | 'redisCluster' | 'redisSentinels' | 'postgres';
type Launched = Pick<RealServer, 'url' | 'remove'>;

/** The reply of the broker: the address of the service, or the reason why it could not be started. */
export type BrokerAnswer = { readonly url: string } | { readonly error: string };

export interface Broker {
  /** `GET <address>/redis`, `/postgres` and so on starts that service, once for the whole run, and answers with its URL. */
  readonly address: string;
  close(): Promise<void>;
}

const LAUNCHERS: Record<ServiceName, () => Promise<Launched>> = {
  redis: launchRedis,
  redisCluster: launchRedisCluster,
  redisSentinels: launchRedisSentinels,
  postgres: launchPostgres,
};
const isService = (name = ''): name is ServiceName => Object.hasOwn(LAUNCHERS, name);

/** One per test run, in vitest's main process: the first test file that requests a service pays for its start. */
export async function startBroker(): Promise<Broker> {
  const launched = new Map<ServiceName, Promise<Launched>>();
  // Every local user can reach the port; the random path is the secret.
  const secret = randomBytes(16).toString('hex');

  const answer = async (name: ServiceName, response: ServerResponse): Promise<void> => {
    let server = launched.get(name);
    if (server === undefined) {
      server = LAUNCHERS[name]();
      launched.set(name, server);
    }
    const body: BrokerAnswer = await server.then(
      ({ url }) => ({ url }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    response.setHeader('content-type', 'application/json').setHeader('connection', 'close').end(JSON.stringify(body));
  };

  const http = createServer((request, response) => {
    const [, given, name] = (request.url ?? '').split('/');
    if (given === secret && isService(name)) void answer(name, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  http.unref();
  const { port } = http.address() as AddressInfo;

  return {
    address: `http://127.0.0.1:${port}/${secret}`,
    close: async () => {
      http.close();
      http.closeAllConnections();
      const ends = [...launched.values()].map(async (launch) => (await launch).remove());
      // A server that never started cleaned up after itself.
      await Promise.allSettled(ends);
    },
  };
}
