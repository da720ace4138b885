import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { playTranscripts } from '../src/cli/play-transcripts.js';
import { shippedFlows } from '../src/flows/read-flow.js';
import { freshFolder } from './support/fresh-folder.js';
import { endServices, noDatabase, type ServiceProcess, startService } from './support/service-process.js';
import { servicesFolder } from './support/services-folder.js';

const program = fileURLToPath(new URL('../dist/cli/ussd.js', import.meta.url));

/** Runs the terminal handset with a text as its input. */
function run(args: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
    child.stdin?.on('error', () => {}).end(input);
  });
}

/** Runs `test` in this process. */
function play(args: readonly string[]): { code: number; out: string; err: string } {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const textOf = ({ mock: { calls } }: typeof out) => calls.map(([text]) => String(text)).join('');
  try {
    return { code: playTranscripts(args), out: textOf(out), err: textOf(err) };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

describe('the handset in the terminal', { timeout: 120_000 }, () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService(noDatabase);
  });
  afterAll(endServices);

  it('dials, types its input, and prints both, to the goodbye', async () => {
    const { code, out, err } = await run(['--url', service.base], '1\n2\n*\n3\n');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^Welcome to Mlango\n.*\n> 1\n\nInformation Center\n.*\n> 2\n\nDialling .*\n> \*\n\nThank you/s,
    );
    expect(out.trimEnd()).toMatch(/Goodbye!$/);
  });

  it('hangs up on request, and at the end of the input', async () => {
    const phone = ['--phone', '+254711000001'];
    const output = await run(['--url', service.base, ...phone], 'hang up\n1\n');
    expect(output.code).toBe(0);
    expect(output.out).not.toContain('Information Center');
    const ended = await run(['--url', service.base, ...phone], '1');
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('Information Center') });
  });

  it('prints the usage for unknown options', async () => {
    expect(await run(['--colour', 'red'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Usage: npm run -s ussd'),
    });
    const nowhere = await run(['--record', 'Nothing', '--flows', 'nope']);
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('There is no folder "nope"') });
    const phone = await run(['--url', service.base, '--phone', '0971230567']);
    expect(phone).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--phone 0971230567 is no phone number'),
    });
    const code = await run(['--url', service.base, '--code', '384']);
    expect(code).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--code 384 is no service code') });
    expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--record') });
  });

  it('plays the transcripts of a folder without a gateway, and reports the result by its exit code', async () => {
    const folder = freshFolder();
    cpSync(shippedFlows, folder, { recursive: true });
    const sound = await run(['test', folder]);
    expect(sound).toMatchObject({ code: 0, err: '', out: expect.stringContaining('3 of 3 transcripts pass') });
    const texts = join(folder, 'default/texts/en.yaml');
    writeFileSync(texts, readFileSync(texts, 'utf8').replace('pricing: Pricing', 'pricing: Prices'));
    const changed = play([join(folder, 'default')]);
    expect(changed.code).toBe(1);
    expect(changed.out).toMatch(/line \d+, "1":\n {4}written +shown\n.*2\. Pricing +≠ {2}2\. Prices\n/s);
    writeFileSync(texts, 'welcome: [');
    expect(play([folder])).toMatchObject({ code: 1, out: expect.stringContaining('texts/en.yaml:1 ') });
    writeFileSync(join(folder, 'duka.aggregator.yaml'), 'name: Duka\nmethods: GET\n');
    expect(play([folder])).toMatchObject({
      code: 1,
      out: expect.stringContaining('duka.aggregator.yaml:2 there is no "methods" here'),
    });
    expect(play(['nope'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('npm run -s ussd -- test DIR'),
    });
  });

  it('plays each transcript of a folder of services in the one that its code reaches', async () => {
    const yaml = "services:\n  clinic: { codes: ['*384*1#'], name: Afya }\n  shop: { codes: ['*384*2-9#'] }\n";
    const folder = servicesFolder(yaml, ['clinic', 'shop']);
    const save = (flow: string, texts: Readonly<Record<string, string>>) => {
      const transcripts = join(folder, flow, 'transcripts');
      rmSync(transcripts, { recursive: true });
      mkdirSync(transcripts);
      for (const [name, text] of Object.entries(texts)) writeFileSync(join(transcripts, name), text);
    };
    const welcome = (code: string, name: string) =>
      `# Dial\n\ndial ${code}\n| Welcome to ${name}\n| 1. Know More\n| 2. Account Menu\n| *. Exit\n`;
    save('clinic', { 'right.txt': welcome('*384*1#', 'Afya') });
    save('shop', { 'right.txt': welcome('*384*7#', 'Duka') });
    const sound = play([folder, '--name', 'Duka']);
    expect(sound).toMatchObject({ code: 0, out: expect.stringContaining('2 of 2 transcripts pass') });
    save('shop', { 'nobody.txt': welcome('*384#', 'Duka'), 'other.txt': welcome('*384*1#', 'Afya') });
    const strange = play([folder]);
    expect(strange).toMatchObject({
      code: 1,
      out: expect.stringContaining('"*384#":\n    no tenant has this code\n'),
    });
    expect(strange.out).toContain('"*384*1#":\n    this code reaches the flow "clinic"\n');
    writeFileSync(join(folder, 'services.yaml'), yaml.replace('2-9', '1'));
    expect(play([folder])).toMatchObject({ code: 1, out: expect.stringContaining('services.yaml:3 ') });
  });

  it('records a session with its answers, and without data that a new phone would not have', async () => {
    const folder = freshFolder();
    cpSync(shippedFlows, folder, { recursive: true });
    const record = (name: string) => [
      '--url',
      service.base,
      '--flows',
      folder,
      '--record',
      'Leave at once',
      '--name',
      name,
    ];
    const other = await run(record('Soko'), '*\n');
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('Not recorded: screen 1 cannot be played') });
    const file = join(folder, 'default/transcripts/leave-at-once.txt');
    expect(existsSync(file)).toBe(false);
    expect(await run(record('Mlango'), '*\n')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Recorded: ${file}`),
    });
    const recorded = readFileSync(file, 'utf8');
    expect(recorded).toMatch(/^# Leave at once\n\ndial \*384#\n.*END\n\| Thank you/s);
    expect(await run(record('Mlango'), '1\n*\n')).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining(`${file} exists: choose another title, or overwrite it with --force.`),
    });
    expect(readFileSync(file, 'utf8')).toBe(recorded);
    expect(await run([...record('Mlango'), '--force'], '1\n*\n')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain('Information Center');
  });

  it('names files that are no transcripts, an unreadable one, and a folder without any', async () => {
    const folder = freshFolder();
    cpSync(shippedFlows, folder, { recursive: true });
    const transcripts = join(folder, 'default/transcripts');
    writeFileSync(join(transcripts, 'notes.md'), '');
    writeFileSync(join(transcripts, 'latin.txt'), '# Été\n', 'latin1');
    writeFileSync(join(transcripts, 'blanks.txt'), '# Blanks\n\ndial *384#\n| Welcome \n');
    cpSync(join(shippedFlows, 'default'), join(folder, 'default@1'), { recursive: true });
    const earlier = join(folder, 'default@1/flow.yaml');
    writeFileSync(earlier, readFileSync(earlier, 'utf8').replace('version: 2', 'version: 1'));
    const some = play([folder]);
    expect(some.out).toMatch(/^- \S+default@1\/transcripts is skipped: no dial begins on an earlier version$/m);
    expect(some).toMatchObject({ code: 1, out: expect.stringContaining('3 of 5 transcripts pass') });
    expect(some.out).toMatch(/^- \S+notes\.md is skipped: a transcript is a file \*\.txt$/m);
    expect(some.out).toMatch(/latin\.txt: cannot be read\n {2}line 1, "":\n {4}is not UTF-8: save the file as UTF-8/);
    expect(some.out).toMatch(/blanks\.txt: cannot be read\n {2}line 4, "\| Welcome":\n {4}this line ends with blanks/);
    for (const name of readdirSync(transcripts)) if (name.endsWith('.txt')) rmSync(join(transcripts, name));
    const none = play([folder]);
    expect(none.code).toBe(1);
    expect(none.out).toMatch(
      /^- \S+notes\.md is skipped.*\nThere are no transcripts in \S+transcripts: record one with /s,
    );
    const misplaced = play([join(folder, 'default/texts')]);
    expect(misplaced).toMatchObject({
      code: 1,
      out: expect.stringContaining('has neither default/flow.yaml nor services.yaml'),
    });
  });

  it('reports that no gateway answers, or that the server is no gateway', async () => {
    expect(await run(['--url', 'http://127.0.0.1:1'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Is the gateway running?'),
    });
    const other = createServer((_request, response) => response.end('<html>'));
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const { port } = other.address() as AddressInfo;
    const answered = await run(['--url', `http://127.0.0.1:${port}`]);
    other.close();
    expect(answered).toMatchObject({ code: 1, err: expect.stringContaining('is no USSD gateway') });
  });
});
