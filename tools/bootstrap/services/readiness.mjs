import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { accepts } from './ports.mjs';

const POLL_MS = 100;
const ANSWER_WITHIN_MS = 2_000;

/**
 * Resolves when a service is ready, or when aborted.
 * @param {'http' | 'tcp'} readiness
 * @param {{ host: string, port: number, signal: AbortSignal }} address
 * @returns {Promise<boolean>} false when aborted
 */
export async function waitUntilReady(readiness, { host, port, signal }) {
  while (!signal.aborted) {
    if (readiness === 'tcp' ? await accepts(port, host) : await isHealthy(host, port)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isHealthy(host, port) {
  return new Promise((resolve) => {
    const request = get({ host, port, path: '/health', timeout: ANSWER_WITHIN_MS, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
