import { connect, createServer } from 'node:net';

/** @typedef {import('./table.mjs').ServiceEntry} ServiceEntry */

/** A port that can't be used; the message names port and variable. */
export class PortError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'PortError';
  }
}

/**
 * The port of each service, from its variable or its default.
 * @param {readonly ServiceEntry[]} services
 * @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, number>} by service name
 * @throws {PortError} when a variable is no port or two services would share one
 */
export function choosePorts(services, env) {
  /** @type {Record<string, number>} */
  const ports = {};
  for (const { name, port } of services) {
    const text = env[port.variable] || String(port.fallback);
    const number = /^\d+$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > 65_535) {
      throw new PortError(`${port.variable}=${text} is not a port for ${name}: it must be a number from 1 to 65535.`);
    }
    const other = services.find((entry) => ports[entry.name] === number);
    if (other !== undefined) {
      throw new PortError(
        `${name} and ${other.name} would both listen on port ${number}. Set ${port.variable} or ${other.port.variable}.`,
      );
    }
    ports[name] = number;
  }
  return ports;
}

/**
 * @param {readonly ServiceEntry[]} services
 * @param {Readonly<Record<string, number>>} ports
 * @param {string} host
 * @throws {PortError} when a port is in use
 */
export async function assertPortsFree(services, ports, host) {
  for (const { name, port } of services) {
    const number = ports[name] ?? port.fallback;
    const problem = await portProblem(number, host);
    if (problem !== undefined) {
      throw new PortError(
        `Port ${number} for ${name} ${problem}. Stop what uses it, or choose another port with ${port.variable}.`,
      );
    }
  }
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<string | undefined>}
 */
async function portProblem(port, host) {
  // Some systems permit a bind to one address while another process is bound to all of them, so a bind proves little.
  if (await accepts(port, reachableHost(host))) return 'is already in use';
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      resolve(error.code === 'EADDRINUSE' ? 'is already in use' : `can't be used (${error.code ?? error.message})`);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Whether a port accepts connections.
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>}
 */
export function accepts(port, host) {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1_000 });
    const answer = (/** @type {boolean} */ value) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => answer(true));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}

/**
 * The address under which a service that listens on `host` is reached from this machine.
 * @param {string} host
 */
export function reachableHost(host) {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {string} `host:port`, an IPv6 address in brackets
 */
export function addressOf(host, port) {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
