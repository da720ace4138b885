import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const fixture = fileURLToPath(new URL('./plugin-scope.fixture.ts', import.meta.url));
const start = ['--conditions=@mlango/source', '--import', 'tsx', fixture];

describe('a failure that a plugin leaves behind', () => {
  it.each([
    ['rejection', 'in a call'],
    ['timer', 'in a call'],
    ['rejection', 'in a stream'],
  ])(
    'in a %s, begun %s, has the name of the plugin',
    async (...args) => {
      const { stdout } = await promisify(execFile)(process.execPath, [...start, ...args], { cwd: dirname(fixture) });
      expect(JSON.parse(stdout)).toEqual({ plugin: 'weather' });
    },
    30_000,
  );
});
