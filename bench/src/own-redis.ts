import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type OwnServer, runServer } from './own-server.js';

/** An empty Redis that writes nothing to disk. Undefined where there is none on this machine. */
export async function startOwnRedis(): Promise<OwnServer | undefined> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'no'];
  for (const name of ['redis-server', 'valkey-server']) {
    const server = await runServer(name, settings, { port });
    if (server === undefined) continue;
    return {
      pid: server.pid,
      url: `redis://127.0.0.1:${port}`,
      stop: async () => {
        await server.stop('SIGTERM');
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  return undefined;
}
