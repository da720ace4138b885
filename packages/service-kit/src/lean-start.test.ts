import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const fixture = fileURLToPath(new URL('./lean-start.fixture.ts', import.meta.url));

it('a start optimises nothing, and all that comes after is optimised where it is hot', {
  timeout: 60_000,
}, async () => {
  const args = ['--trace-opt', '--conditions=@mlango/source', '--import', 'tsx', fixture];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: dirname(fixture), maxBuffer: 2 ** 26 });
  const optimised = (name: string) =>
    stdout.split('\n').filter((line) => line.includes('TURBOFAN') && line.includes(`<JSFunction ${name} `));
  expect(optimised('atStart')).toEqual([]);
  expect(optimised('atWork')).not.toEqual([]);
});
