import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endPrograms, listensAtUrl, runProgram } from '@mlango/test-services/program';
import { expect, it, onTestFinished } from 'vitest';
import { isPrinted, readConsole, readPrograms, Terminal } from './support/follow-console.js';
import { freshFolder } from './support/fresh-folder.js';

const services = fileURLToPath(new URL('../../', import.meta.url));
const guide = 'connect-an-aggregator.md';

const missing = ['bash', 'curl', 'openssl'].filter((name) => spawnSync(name, ['version']).error !== undefined);
if (missing.length > 0)
  process.stderr.write(`skipped: the guide "connect an aggregator" needs ${missing.join(', ')}\n`);

it.skipIf(missing.length > 0)(
  'in the guide "connect an aggregator" each command prints its documented output',
  async () => {
    const folder = freshFolder();
    onTestFinished(endPrograms);
    symlinkSync(services, join(folder, 'services'), 'junction');
    const terminal = new Terminal(folder);
    onTestFinished(() => terminal.close());
    const [settings, ...steps] = readConsole(guide);
    expect(await terminal.run(settings?.command ?? '')).toBe('');
    const [program, ...args] = readPrograms(guide).flatMap((words) => words.split(' '));
    expect(program).toBe('node');
    const start = () => runProgram(args, { cwd: folder, env: { PORT: '0' } });
    let service = start();
    let base = await service.says(listensAtUrl);
    expect(steps.length).toBeGreaterThan(25);
    for (const { command, printed } of steps) {
      // The guide stops the service at this point, and starts it again.
      if (command.includes('duka() {')) {
        expect(await service.end('SIGTERM')).toBe(0);
        service = start();
        base = await service.says(listensAtUrl);
      }
      const output = (await terminal.run(command.replaceAll('http://127.0.0.1:3000', base))).trim();
      expect({ command, output: isPrinted(output, printed) ? printed : output }).toEqual({ command, output: printed });
    }
  },
  60_000,
);
