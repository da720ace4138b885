import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listensAtUrl, type Program, runProgram } from '@mlango/test-services/program';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const seed = 'ab'.repeat(32);
const oracleDid = signerFromSeed(Buffer.from(seed, 'hex')).did;
const user = signerFromSeed(Buffer.alloc(32, 'u'));

let dataDir: string;
let service: Program;
let base: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pay-oracle-'));
});
afterAll(async () => {
  await service?.end();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const env = { DATA_DIR: dataDir, PORT: '0', NODE_ENV: 'test', LOCAL_MODEL_PACE_MS: '0', ORACLE_SIGNING_SEED: seed };
  service = runProgram([main], { env });
  base = await service.says(listensAtUrl);
}

/** Fields of the responses. */
interface Answer {
  readonly sessionId: string;
  readonly message: { readonly content: string };
  readonly messages: readonly object[];
  readonly run: { readonly status: string };
  readonly approvals: readonly { readonly runId: string; readonly toolCallId: string; readonly args: object }[];
}

/** The same user with a new token: another device. */
async function device() {
  const token = await mintInvocation({ signer: user, audience: oracleDid });
  const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan', 'content-type': 'application/json' };
  return async (method: 'GET' | 'POST', path: string, body?: object) => {
    const reply = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: reply.status, body: (await reply.json()) as Answer };
  };
}

describe('an oracle that may pay', () => {
  it('waits for approval, survives a kill, and pays once after it', { timeout: 60_000 }, async () => {
    await start();
    const phone = await device();
    const { sessionId } = (await phone('POST', '/sessions')).body;
    const message = 'use the tool pay with {"to":"Bo","amount":5}';
    const asked = await phone('POST', `/messages/${sessionId}`, { message });
    expect(asked.body.message.content).toContain('waits for your approval');
    expect((await phone('GET', '/payments')).body).toEqual({ payments: [] });
    await service.end('SIGKILL');

    await start();
    const laptop = await device();
    const [call] = (await laptop('GET', '/approvals')).body.approvals;
    expect(call).toMatchObject({ title: 'Pay 5 to Bo', reason: 'It leaves your account at once.', toolName: 'pay' });
    const path = `/runs/${call?.runId}/approvals/${call?.toolCallId}`;
    const said = await Promise.all([1, 2, 3].map(() => laptop('POST', path, { decision: 'allow', args: call?.args })));
    expect(said.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    const run = async () => (await laptop('GET', `/sessions/${sessionId}/run`)).body.run.status;
    await expect.poll(run, { timeout: 10_000 }).toBe('finished');
    expect((await phone('GET', '/payments')).body).toEqual({ payments: [{ to: 'Bo', amount: 5 }] });
    const { messages } = (await phone('GET', `/messages/${sessionId}`)).body;
    expect(messages.at(-1)).toMatchObject({ toolCalls: [{ name: 'pay', status: 'done' }] });
  });
});
