import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf } from '../../bootstrap/services/ports.mjs';
import { waitUntilReady } from '../../bootstrap/services/readiness.mjs';
import { ServiceProcess } from '../../bootstrap/services/service-process.mjs';
import { serviceTable } from '../../bootstrap/services/table.mjs';

/** @typedef {import('./document.mjs').Document} Document */

const HOST = '127.0.0.1';
const READY_WITHIN_MS = 60_000;
/** What is off in a service unless it is told: a reference shows all there is. */
const EVERYTHING = { API_KEYS: 'on', LOG_LEVEL: 'warn' };

/**
 * The descriptions of the three services, as each gives its own when it runs on embedded parts. Needs the build.
 * @param {string} root - the repository
 * @returns {Promise<Map<string, Document>>} by name of the service
 */
export async function describedServices(root) {
  const data = mkdtempSync(join(tmpdir(), 'described-'));
  const entries = serviceTable(root);
  const ports = new Map(
    await Promise.all(entries.map(async ({ name }) => /** @type {const} */ ([name, await freePort()]))),
  );
  const address = (/** @type {string} */ name) => addressOf(HOST, ports.get(name) ?? 0);
  const services = entries.filter(({ script }) => script.includes('/services/'));
  const running = services.map(({ name, script, env }) => {
    const own = { PORT: String(ports.get(name)), HOST, DATA_DIR: join(data, name) };
    const all = { ...process.env, ...env(address), ...EVERYTHING, ...own };
    return new ServiceProcess({ name, script, env: all, cwd: data, onLine: () => {} });
  });
  try {
    const documents = await Promise.all(running.map((service) => described(service, address(service.name))));
    return new Map(documents.map((document, index) => [services[index]?.name ?? '', document]));
  } finally {
    for (const service of running) service.kill('SIGTERM');
    await Promise.all(running.map(({ end }) => end));
    rmSync(data, { recursive: true, force: true });
  }
}

/**
 * @param {ServiceProcess} service
 * @param {string} address
 * @returns {Promise<Document>}
 */
async function described(service, address) {
  const late = AbortSignal.timeout(READY_WITHIN_MS);
  const [host = '', port = ''] = address.split(':');
  const ended = new AbortController();
  void service.end.then(() => ended.abort());
  // A port that listens will do: a gateway without a node is not ready, and can say what it serves.
  const ready = await waitUntilReady('tcp', {
    host,
    port: Number(port),
    signal: AbortSignal.any([late, ended.signal]),
  });
  if (!ready) throw new Error([`${service.name} does not start:`, ...service.lastLines].join('\n'));
  const response = await fetch(`http://${address}/docs/json`);
  if (!response.ok) throw new Error(`${service.name} answers ${response.status} at /docs/json`);
  return /** @type {Document} */ (await response.json());
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, HOST, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
