import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle } from '../src/create-test-oracle.js';

const service = new URL('..', import.meta.url).pathname;
let oracle: TestOracle;
let url: string;
let folder: string;
beforeAll(async () => {
  oracle = await createTestOracle({ env: { DOORS: 'openai,ai-sdk,mcp,ag-ui,a2a', API_KEYS: 'on' } });
  url = await oracle.listen();
  // Below the service, so that its packages are found.
  folder = await mkdtemp(join(service, 'node_modules', '.protocol-pages-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await oracle.close();
});

describe("the example client of a protocol's page", () => {
  it.each([
    ['protocols/openai', '42'],
    ['protocols/ai-sdk', '42'],
    ['protocols/mcp', '42'],
    ['protocols/ag-ui', '42'],
    ['protocols/a2a', '42'],
    ['guides/api-keys', '42'],
  ])('%s: gets an answer', async (path, answer) => {
    const page = await readFile(new URL(`../../../docs/${path}.md`, import.meta.url), 'utf8');
    const [, client] = /```js\n(.*?)```/s.exec(page) ?? [];
    expect(client?.trim().split('\n').length).toBeLessThanOrEqual(10);
    const file = join(folder, `${basename(path)}.mjs`);
    await writeFile(file, client ?? '');
    const user = await oracle.newUser();
    const token = user.headers['authorization']?.replace('Bearer ', '');
    const wanted = { name: 'page', scopes: ['send'] };
    const made = await oracle.inject({ method: 'POST', url: '/api-keys', headers: user.headers, payload: wanted });
    const env = { ...process.env, ORACLE_URL: url, ORACLE_TOKEN: token, ORACLE_KEY: made.json().key };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    expect(stdout).toContain(answer);
  });
});

describe('a protocol that is not in DOORS', () => {
  it('has no routes', async () => {
    const closed = await createTestOracle();
    const { headers } = await closed.newUser();
    expect((await closed.inject({ url: '/v1/models', headers })).statusCode).toBe(404);
    expect((await closed.inject({ url: '/api/chat/x/stream', headers })).statusCode).toBe(404);
    expect((await closed.inject({ url: '/mcp', headers })).statusCode).toBe(404);
    expect((await closed.inject({ method: 'POST', url: '/ag-ui', headers })).statusCode).toBe(404);
    expect((await closed.inject({ method: 'POST', url: '/a2a', headers })).statusCode).toBe(404);
    expect((await closed.inject({ url: '/.well-known/agent-card.json' })).statusCode).toBe(404);
    await closed.close();
    expect((await oracle.inject({ url: '/v1/models', headers: (await oracle.newUser()).headers })).statusCode).toBe(
      200,
    );
  });
});
