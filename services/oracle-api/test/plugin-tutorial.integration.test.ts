import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { guideBlocks } from '@mlango/test-services/guide-blocks';
import { freePort } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const blocks = guideBlocks('write-a-plugin');
const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]));
const commands = blocks.flatMap(({ file, text }) => (file === undefined ? [text] : []));
const [pack = '', install = '', start = '', request = '', test = ''] = commands;

describe('the plugin tutorial, followed in an empty folder', () => {
  const home = mkdtempSync(join(tmpdir(), 'plugin-tutorial-'));
  const project = join(home, 'my-oracle');
  // npm uses the settings and the cache of this machine.
  const npm = {
    NPM_CONFIG_USERCONFIG: process.env['NPM_CONFIG_USERCONFIG'] ?? join(homedir(), '.npmrc'),
    NPM_CONFIG_CACHE: join(homedir(), '.npm'),
    NPM_CONFIG_PREFER_OFFLINE: 'true',
  };
  let port: string;
  const env = () => ({ PATH: process.env['PATH'], HOME: home, PORT: port, ...npm });
  const outputOf = (commands: string, cwd: string) =>
    promisify(execFile)('sh', ['-ec', commands.replaceAll(':3001', `:${port}`)], { cwd, env: env() });
  const run = async (commands: string, cwd: string) => (await outputOf(commands, cwd)).stdout;
  let warnings: string;

  beforeAll(async () => {
    port = String(await freePort());
    // The repository is set up already.
    await run(pack.replace('npm run setup\n', ''), root);
    warnings = (await outputOf(install, home)).stderr;
    for (const { file, text } of files) writeFileSync(join(project, file), text);
  }, 300_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }), 120_000);

  it('installs without a warning of an engine', () => {
    expect(warnings).not.toContain('EBADENGINE');
  });

  it('ends with an answer that used the tool', { timeout: 120_000 }, async () => {
    const oracle = spawn('sh', ['-ec', `exec ${start}`], { cwd: project, env: env(), stdio: 'ignore' });
    try {
      const health = () => fetch(`http://127.0.0.1:${port}/health`).then(({ status }) => expect(status).toBe(200));
      await vi.waitFor(health, { timeout: 60_000, interval: 200 });
      expect(await run(request, project)).toContain(/^# (.+)$/m.exec(request)?.[1]);
    } finally {
      oracle.kill();
    }
  });

  it('ends with a test that passes', { timeout: 120_000 }, async () => {
    expect(files.map(({ file }) => file)).toEqual(['weather.mjs', 'oracle.mjs', 'weather.test.mjs']);
    expect(await run(test, project)).toContain('pass 1');
  });
});
