import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const mebibyte = 2 ** 20;
const limits = { timeout: 60_000 };
const fixture = fileURLToPath(new URL('./lean-start.fixture.ts', import.meta.url));

function runFixture(...flags: string[]) {
  const args = [...flags, '--conditions=@mlango/source', '--import', 'tsx', fixture];
  return promisify(execFile)(process.execPath, args, { cwd: dirname(fixture), maxBuffer: 2 ** 26 });
}

it('optimises nothing while it starts, and all that is hot after that', limits, async () => {
  const { stdout } = await runFixture('--trace-opt');
  const optimised = (name: string) =>
    stdout.split('\n').filter((line) => line.includes('TURBOFAN') && line.includes(`<JSFunction ${name} `));
  expect(optimised('atStart')).toEqual([]);
  expect(optimised('atWork')).not.toEqual([]);
});

it('gives the room back that a start took for young objects', limits, async () => {
  const { stderr } = await runFixture();
  const { before, after } = JSON.parse(stderr) as { before: number; after: number };
  expect(before).toBeGreaterThan(8 * mebibyte);
  expect(after).toBeLessThanOrEqual(2 * mebibyte);
});
