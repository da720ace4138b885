import { createServer } from 'node:net';
import { join } from 'node:path';
import { ProgramProcess } from './program-process.mjs';

/** @typedef {import('./programs.mjs').Program} Program */

/**
 * Boots programs from their production trees, goes once through each door, and stops them.
 * @param {readonly Program[]} programs
 * @param {{ tree: (name: string) => string, dataIn: string }} place
 * @returns {Promise<string[]>} what does not work
 */
export async function tryPrograms(programs, { tree, dataIn }) {
  const ports = await freePorts(programs.length);
  const portOf = (/** @type {string} */ name) => ports[programs.findIndex((program) => program.name === name)] ?? 0;
  const setting = { tree, address: (/** @type {string} */ name) => `127.0.0.1:${portOf(name)}` };
  /** @type {ProgramProcess[]} */
  const running = [];
  // Whatever ends this process first, no program outlives it.
  const endAll = () => {
    for (const program of running) program.kill();
  };
  process.once('exit', endAll);
  try {
    for (const { name, env } of programs) {
      const base = { HOST: '127.0.0.1', PORT: String(portOf(name)), DATA_DIR: join(dataIn, name), LOG_LEVEL: 'warn' };
      running.push(new ProgramProcess({ name, tree: tree(name), env: { ...base, ...env(setting) } }));
    }
    const late = await Promise.all(
      programs.map(async ({ name, readiness }, index) => running[index]?.untilReady(readiness, portOf(name)) ?? []),
    );
    const visits = await Promise.all(
      programs.map(async (program, index) => (late[index]?.length === 0 ? visit(program, setting) : [])),
    );
    const ends = await Promise.all(running.map((program) => program.stop()));
    return [late, visits, ends].flat(2);
  } finally {
    endAll();
    process.off('exit', endAll);
  }
}

/**
 * @param {Program} program
 * @param {import('./programs.mjs').Setting} setting
 */
async function visit({ name, visit: request }, setting) {
  try {
    await request?.(`http://${setting.address(name)}`, setting);
    return [];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/**
 * Ports that nobody listens on, all held at once so that they differ.
 * @param {number} count
 * @returns {Promise<number[]>}
 */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
    }),
  );
  return Promise.all(
    servers.map((server) => {
      const { port } = server.address();
      return new Promise((resolve) => server.close(() => resolve(port)));
    }),
  );
}
