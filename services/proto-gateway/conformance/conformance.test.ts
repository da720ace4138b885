import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCases } from './run-cases.js';

const sample = join(import.meta.dirname, 'sample');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-cases-'));
  cpSync(join(sample, 'sample.proto'), join(folder, 'sample.proto'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly lines: string[];
}

/** Runs a file in a separate process, like the command. */
function runProcess(file: string): Promise<Ended> {
  const args = ['--conditions=@mlango/source', '--import', 'tsx', join(import.meta.dirname, 'main.ts'), file];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: join(import.meta.dirname, '..') }, (error, stdout) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, lines: stdout.trimEnd().split('\n') });
    });
  });
}

async function run(file?: string): Promise<Ended> {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(...line.split('\n'));
  return { code: await runCases(file, { say: add, complain: add }), lines };
}

/** A file with changed cases of the sample. */
function changedSample(change: (cases: Record<string, unknown>[]) => unknown[]): string {
  const file = JSON.parse(readFileSync(join(sample, 'sample-cases.json'), 'utf8'));
  const path = join(folder, 'changed.json');
  writeFileSync(path, JSON.stringify({ ...file, cases: change(file.cases) }));
  return path;
}

const WRONG: Readonly<Record<string, unknown>> = {
  route: { status: 200, rule: 1, request: { id: 'a' } },
  template: { valid: true },
  status: { status: 500 },
  error: { status: 400, body: {} },
  header: { metadata_contains: { a: ['2'] } },
  timeout: { deadline_ms: 1 },
  marshal: { cosmos_v1_16: {} },
  stream: { status: 200, lines: [] },
  health: { status: 200 },
};

describe('the conformance runner', () => {
  it('passes cases of every kind and ends with the count', async () => {
    const { code, lines } = await run(join(sample, 'sample-cases.json'));
    expect(lines.at(-1)).toBe('9 passed, 0 failed');
    expect(code).toBe(0);
  });

  it('fails a wrong expectation of every kind, names the cases and exits with 1', async () => {
    const file = changedSample((cases) => cases.map((test) => ({ ...test, expect: WRONG[String(test['kind'])] })));
    const { code, lines } = await runProcess(file);
    expect(lines.at(-1)).toBe('0 passed, 9 failed');
    expect(lines.filter((line) => line.startsWith('FAILED'))).toHaveLength(9);
    expect(code).toBe(1);
  });

  it('fails a case it cannot read, and runs the others', async () => {
    const { code, lines } = await run(changedSample((cases) => [{ kind: 'other', name: 'odd' }, ...cases]));
    expect(lines.at(-1)).toBe('9 passed, 1 failed');
    expect(code).toBe(1);
  });

  it('reports a missing or unnamed file', async () => {
    expect(await run('nowhere.json')).toEqual({ code: 2, lines: ['no such file: nowhere.json'] });
    expect(await run()).toEqual({ code: 2, lines: ['usage: conformance FILE'] });
  });
});
