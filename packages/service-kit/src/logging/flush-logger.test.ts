import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const fixture = fileURLToPath(new URL('killed-after-flush.fixture.ts', import.meta.url));

it('loses no line of a process that is killed after a flush', async () => {
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=@mlango/source', '--import', 'tsx', fixture],
      { cwd: dirname(fixture) },
      (_error, stdout) => resolve(stdout),
    );
  });
  expect(output.match(/"line \d+"/g)).toHaveLength(200);
});
