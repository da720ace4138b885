import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../repository.mjs';
import { runVitest } from './run-vitest.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mlango-vitest-'));
  symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'), 'junction');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), `import { afterAll, describe, expect, it } from 'vitest';\n${text}`);
}

const run = (args: readonly string[] = []) => runVitest({ root, args, env: process.env, quiet: true });

describe('runVitest', () => {
  it('counts failed tests, failed hooks, files with import errors and uncaught errors', async () => {
    write('good.test.ts', "it('one', () => {}); it('two', () => {}); it.skip('three', () => {});");
    write('bad.test.ts', "it('fails', () => expect(1).toBe(2));");
    write('import.test.ts', "import './nowhere.js';");
    write(
      'hook.test.ts',
      "describe('x', () => { afterAll(() => { throw new Error('hook'); }); it('passes', () => {}); });",
    );
    write(
      'uncaught.test.ts',
      "it('passes', async () => { void Promise.reject(new Error('uncaught')); await new Promise((r) => setTimeout(r, 20)); });",
    );
    const { outcomes, exitCode } = await run();
    expect(outcomes).toMatchObject({ passed: 4, failed: 4, skipped: 1 });
    expect(outcomes?.failures.map((failure) => failure.split('\n')[0]).sort()).toEqual([
      '/bad.test.ts > fails',
      '/hook.test.ts > x',
      '/import.test.ts',
    ]);
    expect(exitCode).toBe(1);
  });

  it('passes its arguments on', async () => {
    write('a.test.ts', "it('a', () => {});");
    write('b.test.ts', "it('b', () => { throw new Error('must not run'); });");
    const { outcomes, exitCode } = await run(['a.test.ts']);
    expect({ ...outcomes, exitCode }).toMatchObject({ passed: 1, failed: 0, exitCode: 0 });
  });
});
