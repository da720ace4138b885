import { join } from 'node:path';
import { ServiceProcess } from '../bootstrap/services/service-process.mjs';
import { repositoryRoot } from './project-files.mjs';

const LISTENS = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/;

/**
 * Starts a built program of this repository on a free port, and resolves once it logs where it listens.
 * @param {string} script - relative to the repository
 * @param {NodeJS.ProcessEnv} settings - the whole environment, besides `PATH` and the port
 * @param {{ cwd?: string, listens?: RegExp }} [options] - `listens` catches the address in its first group
 * @returns {Promise<{ address: string, service: ServiceProcess, stop: () => Promise<string> }>} rejects when it ends before that
 */
export function startListening(script, settings, { cwd = repositoryRoot, listens = LISTENS } = {}) {
  const env = { PATH: process.env['PATH'], PORT: '0', DRAIN_DELAY_MS: '0', ...settings };
  return new Promise((resolve, reject) => {
    const onLine = (/** @type {string} */ line) => {
      const address = listens.exec(line)?.[1];
      if (address !== undefined) resolve({ address, service, stop });
    };
    const service = new ServiceProcess({ name: script, script: join(repositoryRoot, script), env, cwd, onLine });
    const stop = () => {
      service.kill('SIGTERM');
      return service.end;
    };
    void service.end.then((how) => reject(new Error(`${script} ended with ${how}:\n${service.lastLines.join('\n')}`)));
  });
}
