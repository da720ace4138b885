import { join } from 'node:path';
import { listenForStop } from '../process/stop-requests.mjs';
import { repositoryRoot } from '../repository.mjs';
import { banner } from '../services/banner.mjs';
import { devToken } from '../services/dev-token.mjs';
import { assertPortsFree, choosePorts, PortError } from '../services/ports.mjs';
import { runServices } from '../services/run-services.mjs';
import { serviceTable } from '../services/table.mjs';
import { setUpOnTerminal } from './set-up.mjs';

export async function main() {
  const root = repositoryRoot;
  const services = serviceTable(root);
  await exitOnPortError(async () => {
    // Before the set-up too: a taken port should not cost a minute to hear about.
    await assertPortsFree(services, choosePorts(services, process.env), process.env['HOST'] || '127.0.0.1');
    const outcome = await setUpOnTerminal();
    // Asked to stop and stopped: that is success.
    if (outcome !== 'done') return outcome === 'stopped' ? 0 : 1;
    const oracleTokenScript = join(root, 'services/oracle-api/dist/dev-token.js');
    return serve(services, async ({ address, envOf }, stop) => {
      const invocation = await devToken({ script: oracleTokenScript, root, env: envOf('oracle-api'), stop });
      return stop.aborted ? [] : banner(address, invocation);
    });
  });
}

/**
 * Runs services on this terminal until asked to stop.
 * @param {readonly import('../services/table.mjs').ServiceEntry[]} services
 * @param {(running: import('../services/run-services.mjs').Running, stop: AbortSignal) => Promise<string[]>} greet - the lines to print when all are ready
 * @param {{ root?: string, stopWithinMs?: number }} [options]
 * @returns {Promise<number>} exit code
 */
export async function serve(services, greet, { root = repositoryRoot, ...deadlines } = {}) {
  const stop = new AbortController();
  const insist = new AbortController();
  /** @param {string} line */
  const say = (line) => void process.stdout.write(`${line}\n`);
  const unlisten = listenForStop({
    onStop: (reason) => {
      say(`Stopping (${reason}). Once more kills.`);
      stop.abort();
    },
    onInsist: () => insist.abort(),
  });
  // A closed pipe (`npm start | head`) takes the lines, not the services.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    return await runServices(services, {
      env: process.env,
      root,
      say,
      colour: process.stdout.isTTY === true && !process.env['NO_COLOR'],
      stop: stop.signal,
      insist: insist.signal,
      onReady: async (running) => {
        for (const line of await greet(running, stop.signal)) say(line);
      },
      ...deadlines,
    });
  } finally {
    unlisten();
  }
}

/**
 * Ends this process with the code of some work, or with one clear line about a port.
 * @param {() => Promise<number>} work
 */
export async function exitOnPortError(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    if (!(error instanceof PortError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
