import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuses, says, startStandIn } from '../src/models/openai-compatible/stand-in-endpoint.fixture.js';
import { runScript, startService } from '../src/service-process.fixture.js';

const apiKey = 'sk-secret-0123456789';

let dataDir: string;
const closers: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'oracle-model-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a service on a model endpoint, as a process', { timeout: 60_000 }, () => {
  it.each([
    [{ LLM_API_KEY: apiKey }, 'LLM_BASE_URL'],
    [{ LLM_BASE_URL: 'https://llm.example/v1', LLM_API_KEY: apiKey }, 'LLM_MODEL'],
    [{ LLM_BASE_URL: `https://user:${apiKey}@llm.example/v1`, LLM_MODEL: 'big' }, 'LLM_BASE_URL'],
  ])('does not start on half a configuration, and names what is missing: %#', async (env, variable) => {
    const failure = await runScript('main', { DATA_DIR: dataDir, PORT: '0', ...env }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 78, stderr: expect.stringContaining(`${variable}:`) });
    expect(JSON.stringify(failure)).not.toContain(apiKey);
  });

  it('answers and fails without a word of key or address on its output', async () => {
    const endpoint = await startStandIn(says('All is well'), refuses(401));
    closers.push(endpoint.close);
    const env = { DATA_DIR: dataDir, LOG_LEVEL: 'trace', NODE_ENV: 'test' };
    const service = await startService({
      ...env,
      LLM_BASE_URL: endpoint.baseUrl,
      LLM_API_KEY: apiKey,
      LLM_MODEL: 'big',
    });
    closers.push(() => {
      service.child.kill('SIGTERM');
      return service.exit;
    });
    const { stdout } = await runScript('dev-token', env);
    const headers = {
      authorization: `Bearer ${stdout.trim()}`,
      'x-auth-type': 'ucan',
      'content-type': 'application/json',
    };
    const session = await fetch(`${service.base}/sessions`, { method: 'POST', headers });
    const { sessionId } = (await session.json()) as { sessionId: string };
    const send = async () => {
      const body = JSON.stringify({ message: 'Hi' });
      const reply = await fetch(`${service.base}/messages/${sessionId}`, { method: 'POST', headers, body });
      return { status: reply.status, text: await reply.text() };
    };
    const answered = await send();
    expect(answered).toMatchObject({ status: 200, text: expect.stringContaining('All is well') });
    const refused = await send();
    expect(refused.status).toBe(500);
    const metrics = await (await fetch(`${service.base}/metrics`)).text();
    expect(metrics).toContain('oracle_model_tokens_total{model="big",direction="out"');
    const { host } = new URL(endpoint.baseUrl);
    for (const seen of [service.output(), answered.text, refused.text, metrics]) {
      expect(seen).not.toContain(apiKey);
      expect(seen).not.toContain(host);
    }
    expect(service.output()).toContain('the provider answered 401');
  });
});
