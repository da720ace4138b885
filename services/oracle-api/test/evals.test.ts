import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle } from '../src/create-test-oracle.js';
import { evalCommand } from '../src/evals/eval-command.js';
import { evalFolder } from '../src/evals/eval-folder.js';

const service = new URL('..', import.meta.url).pathname;
let oracle: TestOracle;
let url: string;
let folder: string;
beforeAll(async () => {
  oracle = await createTestOracle({ env: { API_KEYS: 'on' } });
  url = await oracle.listen();
  folder = await mkdtemp(join(tmpdir(), 'evals-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await oracle.close();
});

/** Report of one dialogue, and its result. */
async function holding(dialogue: string): Promise<{ isGood: boolean; lines: string[] }> {
  await writeFile(join(folder, 'one.dialogue.txt'), dialogue);
  const printed: string[] = [];
  const { headers } = await oracle.newUser();
  const isGood = await evalFolder({ folder, oracle: { url, headers }, print: (text) => printed.push(text) });
  return { isGood, lines: printed.join('\n').split('\n') };
}

const command = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, [join(service, 'dist/cli.js'), 'eval', ...args], {
    env: { ...process.env, LOG_LEVEL: 'silent', ...env },
  }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );

/** Runs the command in this process. */
async function commandHere(args: readonly string[], env: Readonly<Record<string, string>>) {
  const printed: string[] = [];
  const code = await evalCommand(args, env, (text) => printed.push(text));
  return { code, stdout: printed.join('\n') };
}

describe('an eval', { timeout: 120_000 }, () => {
  it('of the built-in model passes on a separate oracle, and is reported', async () => {
    const reports = join(folder, 'reports');
    const { code, stdout } = await command([join(service, 'evals'), '--report', reports]);
    expect(stdout).toMatch(/^(\d+) of \1 dialogues hold$/m);
    expect(code).toBe(0);
    const report = JSON.parse(await readFile(join(reports, 'report.json'), 'utf8')) as { good: number; all: number };
    expect(report.good).toBe(report.all);
    expect(report.all).toBeGreaterThanOrEqual(4);
    expect(await readFile(join(reports, 'report.html'), 'utf8')).toContain(`${report.all} of ${report.all} dialogues`);
  });

  it('passes for the example of the guide', async () => {
    const guide = await readFile(join(service, '../../docs/guides/evaluate-an-oracle.md'), 'utf8');
    const [, dialogue = ''] = /```text\n(.*?)```/s.exec(guide) ?? [];
    expect(await holding(dialogue)).toMatchObject({
      isGood: true,
      lines: [expect.stringContaining('2 messages'), '1 of 1 dialogues hold'],
    });
  });

  it('runs against any oracle with an API key', async () => {
    const user = await oracle.newUser();
    const keyRequest = { name: 'evals', scopes: ['send', 'tools'] };
    const made = await oracle.inject({ method: 'POST', url: '/api-keys', headers: user.headers, payload: keyRequest });
    const ORACLE_KEY = made.json<{ key: string }>().key;
    const evals = join(service, 'evals');
    expect(await commandHere([evals], { ORACLE_URL: url, ORACLE_KEY })).toEqual({
      code: 0,
      stdout: expect.stringContaining('4 of 4'),
    });
    expect(await commandHere([evals], { ORACLE_URL: url, ORACLE_KEY: 'mlk_no' })).toEqual({
      code: 1,
      stdout: expect.stringContaining('401 Unknown, expired or revoked API key'),
    });
  });

  it.each([
    ['says "85"', 'the answer was: 12 * 7 = 84'],
    ['says /^84$/', 'the answer was: 12 * 7 = 84'],
    ['never says "= 84"', 'the answer was: 12 * 7 = 84'],
    ['calls recall', 'it called nothing'],
    ['within 1 token', /^it took \d+ tokens$/],
    ['within 0 seconds', /^it took [\d.]+ seconds$/],
  ])('reports a failed expectation: %s', async (expectation, problem) => {
    const { isGood, lines } = await holding(`# Sum\n\n> What is 12 * 7?\nsays "84"\n${expectation}\n`);
    expect(isGood).toBe(false);
    expect(lines[0]).toMatch(/^✗ one\.dialogue\.txt: Sum \(1 messages, /);
    expect(lines[1]).toBe('  > What is 12 * 7?');
    const [, words, why] = /^ {4}line 5, (.*?): (.*)$/.exec(lines[2] ?? '') ?? [];
    expect(words).toBe(expectation);
    expect(why).toEqual(typeof problem === 'string' ? problem : expect.stringMatching(problem));
    expect(lines).toHaveLength(4);
  });

  it.each([
    ['calls nothing', 'it called remember {"content":"tea is good"}'],
    ['never calls remember', 'it called remember {"content":"tea is good"}'],
    ['calls remember content="coffee"', 'it called remember {"content":"tea is good"}'],
  ])('reports the called tools: %s', async (expectation, problem) => {
    const { lines } = await holding(`> Remember that tea is good\n${expectation}\n`);
    expect(lines[2]).toBe(`    line 2, ${expectation}: ${problem}`);
  });

  it.each([
    ['', 'there is no message (> …)'],
    ['says "hi"', 'line 1: an expectation must follow a message (> …)'],
    ['>', 'line 1: the message is empty'],
    ['> hi\nsays hello', 'line 2: hello stands neither in quotes nor between slashes'],
    ['> hi\nsays /(/', 'line 2: Invalid regular expression'],
    ['> hi\n\ncalled it', 'line 3: "called it" is none of: says "words"'],
  ])('refuses an invalid file before any request: %j', async (dialogue, problem) => {
    await expect(holding(dialogue)).rejects.toThrow(`one.dialogue.txt, ${problem}`);
  });

  it('fails without a folder of dialogues', async () => {
    expect(await command([])).toMatchObject({ code: 2, stderr: expect.stringContaining('eval DIR') });
    const empty = await commandHere([join(service, 'src')], { ORACLE_URL: url });
    expect(empty).toEqual({ code: 2, stdout: expect.stringContaining('there is no *.dialogue.txt') });
  });
});
