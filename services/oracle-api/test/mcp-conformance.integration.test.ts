import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as requestOf } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endPrograms } from '@mlango/test-services/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runScript, startService } from './service-process.fixture.js';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('mcp-conformance/', import.meta.url));
const modules = join(folder, 'node_modules');

/** General scenarios of servers. The others need tools, prompts and resources of the suite's own server. */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'dns-rebinding-protection',
];

/** Forwards requests with the token of a user, because the suite sends none. The oracle gets its own address as `Host`. */
function startForwarder(target: URL, token: string) {
  const server = createServer((incoming, reply) => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = { ...incoming.headers, authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
    if (headers.host === own) headers.host = target.host;
    if (headers.origin === `http://${own}`) headers.origin = target.origin;
    const { url: path, method } = incoming;
    const outgoing = requestOf({ host: target.hostname, port: target.port, path, method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    outgoing.on('error', () => reply.destroy());
    incoming.pipe(outgoing);
  });
  return new Promise<{ url: string; close: () => void }>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const close = () => {
        server.closeAllConnections();
        server.close();
      };
      resolve({ url: `http://127.0.0.1:${port}/mcp`, close });
    });
  });
}

describe('the conformance suite of MCP', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  let forwarder: Awaited<ReturnType<typeof startForwarder>>;

  beforeAll(async () => {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
    // The suite needs Node 22.
    await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: join(modules, 'node') });
    const env = { DATA_DIR: dataDir, DOORS: 'mcp' };
    const oracle = await startService(env);
    const { stdout: token } = await runScript('dev-token', env);
    forwarder = await startForwarder(new URL(oracle.base), token.trim());
  }, 240_000);
  afterAll(async () => {
    forwarder?.close();
    await endPrograms();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it.each(scenarios)('%s passes', { timeout: 60_000 }, async (scenario) => {
    const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
    const args = [suite, 'server', '--url', forwarder.url, '--scenario', scenario];
    const { stdout } = await run(join(modules, 'node/bin/node'), args, { cwd: dataDir });
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/);
  });
});
