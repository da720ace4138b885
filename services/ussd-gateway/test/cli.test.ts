import { randomBytes } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { runOperatorCommand } from '../src/cli/operator-commands.js';
import { runCommand } from './support/run-command.js';
import { noDatabase } from './support/service-process.js';

const [oldKey, newKey] = ['a passphrase of 32 characters...', randomBytes(32).toString('hex')];

/** Runs a command that needs no environment in this process. */
async function runHere(
  stream: 'stdout' | 'stderr',
  args: readonly string[],
): Promise<{ code: number; printed: string }> {
  const write = vi.spyOn(process[stream], 'write').mockReturnValue(true);
  try {
    const code = await runOperatorCommand(args);
    return { code, printed: write.mock.calls.map(([text]) => String(text)).join('') };
  } finally {
    write.mockRestore();
  }
}

describe('a command', { timeout: 120_000 }, () => {
  it.each([[[]], [['unlock', 'nobody']], [['delete-phone', 'C00000000']], [['constructor', 'C00000000']]])(
    '%j that is invalid prints the usage, and ends with code 2',
    async (args) => {
      const { code, printed } = await runHere('stderr', args);
      expect(code).toBe(2);
      expect(printed).toContain('Usage:');
    },
  );

  it('ends its process with its code', async () => {
    expect(await runCommand(['reseal-pins', 'now'], {})).toEqual({ code: 2, output: expect.stringMatching(/^Usage:/) });
  });

  it('prints the usage on --help', async () => {
    expect(await runHere('stdout', ['--help'])).toEqual({ code: 0, printed: expect.stringMatching(/^Usage:/) });
  });

  it('refuses a passphrase as an earlier key in production, also for resealing PINs', async () => {
    const env = { ...noDatabase, PIN_ENCRYPTION_KEY: newKey, PIN_ENCRYPTION_KEYS_OLD: oldKey };
    const { code, output } = await runCommand(['reseal-pins'], { ...env, NODE_ENV: 'production' });
    expect([code, output]).toEqual([78, expect.stringContaining('PIN_ENCRYPTION_KEYS_OLD: key 1 is a passphrase')]);
  });

  it('without a database names the problem, and ends with code 1', async () => {
    const { code, output } = await runCommand(['reseal-pins'], { ...noDatabase, PIN_ENCRYPTION_KEY: oldKey });
    expect(code).toBe(1);
    expect(output).toContain('ECONNREFUSED');
  });
});
