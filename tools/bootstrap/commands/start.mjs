import { listenForStop } from '../process/stop-requests.mjs';
import { repositoryRoot } from '../repository.mjs';
import { banner } from '../services/banner.mjs';
import { assertPortsFree, choosePorts, PortError } from '../services/ports.mjs';
import { runServices } from '../services/run-services.mjs';
import { serviceTable } from '../services/table.mjs';
import { setUpOnTerminal } from './set-up.mjs';

export async function main() {
  const root = repositoryRoot;
  const services = serviceTable(root);
  await exitOnPortError(async () => {
    // Checked before the set-up, so that a taken port is reported at once.
    await assertPortsFree(services, choosePorts(services, process.env), process.env['HOST'] || '127.0.0.1');
    const outcome = await setUpOnTerminal();
    // A requested stop is success.
    if (outcome !== 'done') return outcome === 'stopped' ? 0 : 1;
    return serve(services, ({ address }) => banner(address));
  });
}

/**
 * Runs services on this terminal until a stop signal.
 * @param {readonly import('../services/table.mjs').ServiceEntry[]} services
 * @param {(running: import('../services/run-services.mjs').Running) => readonly string[]} greet - the lines to print when all are ready
 * @param {{ root?: string, stopWithinMs?: number }} [options]
 * @returns {Promise<number>} exit code
 */
export async function serve(services, greet, { root = repositoryRoot, ...deadlines } = {}) {
  const stop = new AbortController();
  const insist = new AbortController();
  /** @param {string} line */
  const print = (line) => void process.stdout.write(`${line}\n`);
  const unlisten = listenForStop({
    onStop: (reason) => {
      print(`Stopping (${reason}). Once more kills.`);
      stop.abort();
    },
    onInsist: () => insist.abort(),
  });
  // A closed pipe (`npm start | head`) must not stop the services.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    return await runServices(services, {
      env: process.env,
      root,
      say: print,
      colour: process.stdout.isTTY === true && !process.env['NO_COLOR'],
      stop: stop.signal,
      insist: insist.signal,
      onReady: (running) => {
        for (const line of greet(running)) print(line);
      },
      ...deadlines,
    });
  } finally {
    unlisten();
  }
}

/**
 * Sets the exit code of this process; a port error is printed as one line.
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
