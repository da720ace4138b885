import { describe, expect, it } from 'vitest';
import { ends } from '../fixtures/started.js';
import { CommandError, runCommand } from './run-command.mjs';

const options = { cwd: process.cwd(), env: process.env };
const node = (code: string) => [process.execPath, '-e', code];

describe('runCommand', () => {
  it('returns the standard output', async () => {
    await expect(runCommand(node("console.error('no'); console.log('yes')"), options)).resolves.toBe('yes\n');
  });

  it('fails with the whole output and the exit code', async () => {
    const failure = await runCommand(
      node("console.log('out'); console.error('err'); process.exitCode = 3"),
      options,
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandError);
    expect(failure).toMatchObject({
      message: expect.stringContaining('exit code 3'),
      output: expect.stringContaining('err'),
    });
  });

  it('reports a missing program', async () => {
    await expect(runCommand(['no-such-program'], options)).rejects.toThrow('no-such-program could not be started');
  });

  it('ends the command and its children on a stop request', async () => {
    const stop = new AbortController();
    let grandchild = 0;
    const run = runCommand(
      node(`const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
        console.log(child.pid);
        setInterval(() => {}, 1000);`),
      {
        ...options,
        signal: stop.signal,
        onText: (text) => {
          grandchild = Number(text);
          stop.abort();
        },
      },
    );
    await expect(run).rejects.toThrow('Stopped on request');
    await ends(grandchild);
  });
});
