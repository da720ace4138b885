import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rest } from './measure.js';
import { type Child, freePort, type Placement, startAnnouncedChild, startChild } from './process.js';

export const repositoryFile = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
export const benchFile = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Settings with which a service under load refuses no request. */
export const unlimited = {
  RATE_LIMIT_MAX: '1000000000',
  RATE_LIMIT_PER_PHONE: '100000',
  TURNS_PER_ADDRESS: '1000000',
  SESSIONS_PER_USER: '1000000',
  PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
};

export type ServiceName = 'ussd-gateway' | 'oracle-api' | 'proto-gateway';

/**
 * Starts a built service without limits, with a new data folder, and waits for it to idle, as a deployed service does before its
 * first load.
 */
export async function startService(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
  placement: Placement = {},
): Promise<Child> {
  const port = await freePort();
  const child = await startChild(repositoryFile(`services/${name}/dist/main.js`), {
    ...placement,
    port,
    healthPath: '/health',
    env: { ...unlimited, PORT: String(port), DATA_DIR: mkdtempSync(join(tmpdir(), `bench-${name}-`)), ...env },
  });
  await rest();
  return child;
}

/** Starts the mock chain node. */
export async function startNode(): Promise<Child> {
  const port = await freePort();
  return startChild(repositoryFile('deploy/mock-node/dist/main.js'), { port, env: { MOCK_NODE_PORT: String(port) } });
}

/** Starts a process of bare Fastify routes, the floor of every ratio. See `bare-routes.ts` for the routes. */
export function startBareRoutes(
  replies: { get?: Record<string, string>; ussd?: Record<string, string> },
  { core }: Placement,
): Promise<Child> {
  return startAnnouncedChild(benchFile('bare-routes.js'), { BARE_REPLIES: JSON.stringify(replies) }, { core });
}
