import { join } from 'node:path';
import { withoutNpmVariables } from '../process/tool-env.mjs';
import { label } from './labelled-lines.mjs';
import { addressOf, assertPortsFree, choosePorts, reachableHost } from './ports.mjs';
import { waitUntilReady } from './readiness.mjs';
import { ServiceProcess } from './service-process.mjs';
import { stopServices } from './stop-services.mjs';

/** @typedef {import('./table.mjs').ServiceEntry} ServiceEntry */
/** @typedef {{ address: (name: string) => string }} Running */

const READY_WITHIN_MS = 60_000;
const HEARTBEAT_MS = 10_000;
const STOP_WITHIN_MS = 15_000;

/**
 * Runs services until a stop signal or until one ends, and stops all of them.
 * @param {readonly ServiceEntry[]} services
 * @param {object} options
 * @param {NodeJS.ProcessEnv} options.env - passed to each, with PORT, DATA_DIR and its own variables added
 * @param {string} options.root - working directory; data is in `.data/<name>` below it unless DATA_DIR is set
 * @param {(line: string) => void} options.say
 * @param {boolean} options.colour
 * @param {AbortSignal} options.stop - a request to stop
 * @param {AbortSignal} options.insist - a second stop signal: kill the remaining services
 * @param {(running: Running) => void} options.onReady - all are ready
 * @param {number} [options.readyWithinMs]
 * @param {number} [options.stopWithinMs]
 * @returns {Promise<number>} exit code: 0 after a requested stop, 1 when a service died, got ready too late or had to be killed
 * @throws {import('./ports.mjs').PortError} before anything is started
 */
export async function runServices(services, options) {
  const { env, root, say, colour, stop, insist, onReady } = options;
  const { readyWithinMs = READY_WITHIN_MS, stopWithinMs = STOP_WITHIN_MS } = options;
  const host = env['HOST'] || '127.0.0.1';
  const ports = choosePorts(services, env);
  await assertPortsFree(services, ports, host);
  if (stop.aborted) return 0;

  const width = Math.max(...services.map(({ name }) => name.length));
  const address = addresses({ host, ports });
  /** @param {string} name */
  const envOf = (name) => serviceEnv(name, { services, env, root });
  const settled = new AbortController();
  const request = new Promise((resolve) => stop.addEventListener('abort', () => resolve(undefined), { once: true }));
  /** @type {ServiceProcess[]} */
  const running = [];
  /** @type {Promise<{ service: ServiceProcess, how: string }>} */
  const death = new Promise((resolve) => {
    for (const [index, { name, script, after }] of services.entries()) {
      const prefix = label(name, { width, index, colour });
      const begin = () => {
        const options = {
          name,
          script,
          env: envOf(name),
          cwd: root,
          onLine: (/** @type {string} */ line) => say(prefix + line),
        };
        const service = new ServiceProcess(options);
        running.push(service);
        void service.end.then((how) => resolve({ service, how }));
      };
      const needed = services.find((entry) => entry.name === after);
      if (needed === undefined) begin();
      else {
        const { readiness, port } = needed;
        const at = { host: reachableHost(host), port: ports[needed.name] ?? port.fallback, signal: settled.signal };
        void waitUntilReady(readiness, at).then(() => {
          if (!settled.signal.aborted) begin();
        });
      }
    }
  });

  const outcome = await Promise.race([
    death.then(({ service, how }) => [`${service.name} has ended unexpectedly (${how}).`, ...lastWords(service)]),
    request.then(() => []),
    becomeReady(services, { host: reachableHost(host), ports, say, readyWithinMs, settled: settled.signal }).then(
      async (late) => {
        if (late.length > 0) return [`Not ready after ${readyWithinMs / 1_000} s: ${late.join(', ')}.`];
        onReady({ address });
        return new Promise(() => {});
      },
    ),
  ]).catch((error) => [`Stopping, because of ${error instanceof Error ? error.stack : error}`]);
  settled.abort();
  for (const line of outcome) say(line);
  const clean = await stopServices(running, { say, insist, stopWithinMs });
  return outcome.length === 0 && clean ? 0 : 1;
}

/**
 * The environment of one service.
 * @param {string} name
 * @param {{ services: readonly ServiceEntry[], env: NodeJS.ProcessEnv, root: string }} options - `env` of the caller
 * @returns {NodeJS.ProcessEnv}
 */
export function serviceEnv(name, { services, env, root }) {
  const service = services.find((entry) => entry.name === name);
  if (service === undefined) throw new Error(`There is no service ${name}.`);
  const ports = choosePorts(services, env);
  const port = String(ports[name]);
  return {
    ...service.env(addresses({ host: env['HOST'] || '127.0.0.1', ports })),
    ...withoutPorts(withoutNpmVariables(env), services),
    [service.port.readAs ?? 'PORT']: port,
    DATA_DIR: join(env['DATA_DIR'] || join(root, '.data'), name),
  };
}

/**
 * The query gateway warns of settings that it does not know.
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly ServiceEntry[]} services
 * @returns {NodeJS.ProcessEnv} without the variables of ports, which only `npm start` reads
 */
function withoutPorts(env, services) {
  const variables = new Set(services.map(({ port }) => port.variable));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !variables.has(name)));
}

/**
 * @param {{ host: string, ports: Readonly<Record<string, number>> }} options
 * @returns {(name: string) => string} `host:port` of a service
 */
function addresses({ host, ports }) {
  return (name) => addressOf(reachableHost(host), ports[name] ?? 0);
}

/** @param {ServiceProcess} service */
function lastWords(service) {
  if (service.lastLines.length === 0) return ['It wrote nothing.'];
  return ['Its last lines:', ...service.lastLines.map((line) => `  ${line}`)];
}

/**
 * @param {readonly ServiceEntry[]} services
 * @param {{ host: string, ports: Readonly<Record<string, number>>, say: (line: string) => void, readyWithinMs: number, settled: AbortSignal }} options
 * @returns {Promise<string[]>} names of those that are not ready in time
 */
async function becomeReady(services, { host, ports, say, readyWithinMs, settled }) {
  const signal = AbortSignal.any([settled, AbortSignal.timeout(readyWithinMs)]);
  const waiting = new Set(services.map(({ name }) => name));
  const startedAt = performance.now();
  const heartbeat = setInterval(() => {
    say(`… waiting for ${[...waiting].join(', ')}: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  await Promise.all(
    services.map(async ({ name, port, readiness }) => {
      const at = { host, port: ports[name] ?? port.fallback, signal };
      if (await waitUntilReady(readiness, at)) waiting.delete(name);
    }),
  );
  clearInterval(heartbeat);
  return [...waiting];
}
