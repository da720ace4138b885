// node oracle.mjs <main.js> <data folder>: starts an oracle with this Node, requests its plugin's public route, runs a turn as a
// user, and stops it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';

const START_LIMIT_MS = 60_000;
const [program, dataFolder] = process.argv.slice(2);
const seed = () => randomBytes(32).toString('hex');
const oracleSeed = seed();

const child = spawn(process.execPath, [program], {
  env: {
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: dataFolder,
    DRAIN_DELAY_MS: '0',
    LOCAL_MODEL_PACE_MS: '0',
    ORACLE_SIGNING_SEED: oracleSeed,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.on('exit', () => child.kill('SIGKILL'));
const ended = once(child, 'exit');

/** Rejects when the oracle ends, or exceeds the time limit, before it logs its address. */
async function address() {
  const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  const lines = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const [, found] = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(line) ?? [];
    if (found === undefined) continue;
    clearTimeout(limit);
    child.stdout.resume();
    return found;
  }
  throw new Error(`the oracle did not start:\n${lines.join('\n')}`);
}

const base = await address();
const token = await mintInvocation({
  signer: await signerFromSeed(seed()),
  audience: (await signerFromSeed(oracleSeed)).did,
});

async function ask(path, { status = 200, headers, message } = {}) {
  const body = message === undefined ? {} : { method: 'POST', body: JSON.stringify(message) };
  const reply = await fetch(base + path, { ...body, headers: { 'content-type': 'application/json', ...headers } });
  const text = await reply.text();
  assert.equal(reply.status, status, `${path}: ${reply.status} ${text}`);
  return JSON.parse(text);
}

const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
await ask('/health');
const weather = await ask('/weather/Nairobi');
assert.equal(weather.city, 'Nairobi');
await ask('/sessions', { status: 401, message: {} });
const { sessionId } = await ask('/sessions', { status: 201, headers, message: {} });
const message = { message: 'What is the weather in Nairobi?' };
const answer = JSON.stringify(await ask(`/messages/${sessionId}`, { headers, message }));
assert.ok(answer.includes(String(weather.degrees)), `the answer does not tell ${weather.degrees} degrees: ${answer}`);

child.kill('SIGTERM');
assert.deepEqual(await ended, [0, null]);
