import { afterEach, expect, it, vi } from 'vitest';
import { readCommand } from './start.js';

const { argv } = process;
afterEach(() => {
  process.argv = argv;
  vi.restoreAllMocks();
});

/** The result of a process with this argument: its command, or the text with which it exits. */
function run(input: string | undefined, ...names: readonly string[]) {
  process.argv = ['node', 'main.js', ...(input === undefined ? [] : [input])];
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const ended = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('ended');
  });
  try {
    return readCommand(...names);
  } catch {
    return `${ended.mock.lastCall?.[0]} ${String(written.mock.lastCall?.[0])}`;
  }
}

it('a process serves unless it is given a command', () => {
  expect([run(undefined), run(undefined, 'migrate'), run('migrate', 'migrate', 'move')]).toEqual([
    undefined,
    undefined,
    'migrate',
  ]);
});

it('an unknown command ends it, and lists the known ones', () => {
  expect(run('migarte', 'migrate', 'move')).toBe(
    '2 There is no command "migarte": there are migrate and move. Without one the service starts.\n',
  );
  expect(run('--help', 'migrate')).toMatch(/^2 .*: there is migrate\. /);
  expect(run('', 'migrate')).toMatch(/^2 There is no command ""/);
  expect(run('migrate')).toMatch(/^2 .*: none is there\. /);
});
