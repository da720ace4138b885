import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endPrograms, listensAtUrl, runProgram } from '@mlango/test-services/program';
import { freePort } from '@mlango/test-services/servers';
import { expect, it, onTestFinished } from 'vitest';
import { isPrinted, readConsole, readPrograms, Terminal } from './support/follow-console.js';
import { freshFolder } from './support/fresh-folder.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const guide = 'take-a-payment.md';

const missing = ['bash', 'curl', 'openssl'].filter((name) => spawnSync(name, ['version']).error !== undefined);
if (missing.length > 0) process.stderr.write(`skipped: the guide "take a payment" needs ${missing.join(', ')}\n`);

it.skipIf(missing.length > 0)(
  'in the guide "take a payment" each command prints what stands under it',
  async () => {
    const folder = freshFolder();
    onTestFinished(endPrograms);
    for (const name of ['services', 'examples']) symlinkSync(join(root, name), join(folder, name), 'junction');
    const [gateway, provider] = [await freePort(), await freePort()];
    const atPorts = (text: string) => text.replaceAll(':3000', `:${gateway}`).replaceAll(':3010', `:${provider}`);
    const terminal = new Terminal(folder);
    onTestFinished(() => terminal.close());
    const steps = readConsole(guide);
    const follow = async (some: typeof steps) => {
      for (const { command, printed } of some) {
        const output = (await terminal.run(atPorts(command))).trim();
        const got = isPrinted(output, atPorts(printed)) ? printed : output;
        expect({ command, output: got }).toEqual({ command, output: printed });
      }
    };
    const isBefore = steps.findIndex(({ command }) => command.startsWith('hop()'));
    await follow(steps.slice(0, isBefore));
    const start = (program: string, port: number, listens: RegExp, more: Record<string, string> = {}) => {
      const words = program.split(' ');
      const variables = words.filter((word) => word.includes('=')).map((word) => word.split('=') as [string, string]);
      const [node, ...args] = words.slice(variables.length);
      expect(node).toBe('node');
      const env = { PORT: String(port), ...more, ...Object.fromEntries(variables) };
      return runProgram(args, { cwd: folder, env }).says(listens);
    };
    const [pays = '', serves = '', ...others] = readPrograms(guide);
    expect(others).toEqual([]);
    await start(pays, provider, /(Mobile money)/, { GATEWAY_URL: atPorts('http://127.0.0.1:3000') });
    await start(serves, gateway, listensAtUrl);
    await follow(steps.slice(isBefore));
  },
  120_000,
);
