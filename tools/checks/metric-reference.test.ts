import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const check = fileURLToPath(new URL('metric-reference.mjs', import.meta.url));

describe('the page of metrics', () => {
  it('is what the built services register', { timeout: 60_000 }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [check]).catch((error: { stderr: string }) => ({
      stdout: error.stderr,
    }));
    expect(stdout).toBe('metric reference: all well\n');
  });
});
