import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endPrograms, runProgram } from '@mlango/test-services/program';
import { freePort } from '@mlango/test-services/servers';
import { expect, onTestFinished } from 'vitest';
import { isPrinted, readConsole, readPrograms, Terminal } from './follow-console.js';
import { freshFolder } from './fresh-folder.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A program that the reader of a guide starts. */
export interface GuideProgram {
  /** Its port in the guide. */
  readonly port: number;
  readonly listens: RegExp;
  /** Variables with addresses of the guide, since it listens on another port than in the guide. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Tools required by a guide and missing on this machine. */
export function missingTools(...names: readonly string[]): string[] {
  return names.filter((name) => spawnSync(name, ['version']).error !== undefined);
}

/**
 * Executes a guide literally in a new folder: its commands up to `hop()`, then its programs in their order, then the
 * rest. Each command has to print its documented output.
 *
 * @param parts of the repository that its commands name.
 */
export async function playGuide(guide: string, parts: readonly string[], programs: readonly GuideProgram[]) {
  const folder = freshFolder();
  onTestFinished(endPrograms);
  for (const name of parts) symlinkSync(join(root, name), join(folder, name), 'junction');
  const ports = await Promise.all(programs.map(async ({ port }) => [`:${port}`, `:${await freePort()}`] as const));
  const atPorts = (text: string) => ports.reduce((commands, [named, free]) => commands.replaceAll(named, free), text);
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
  const commands = readPrograms(guide);
  expect(commands).toHaveLength(programs.length);
  for (const [index, { listens, env = {} }] of programs.entries()) {
    const words = (commands[index] ?? '').split(' ');
    const variables = words.filter((word) => word.includes('=')).map((word) => word.split('=') as [string, string]);
    const [node, ...args] = words.slice(variables.length);
    expect(node).toBe('node');
    const addresses = Object.entries({ ...env, ...Object.fromEntries(variables) });
    const settings = Object.fromEntries(addresses.map(([name, value]) => [name, atPorts(value)]));
    const PORT = (ports[index]?.[1] ?? '').slice(1);
    await runProgram(args, { cwd: folder, env: { PORT, ...settings } }).says(listens);
  }
  await follow(steps.slice(isBefore));
}
