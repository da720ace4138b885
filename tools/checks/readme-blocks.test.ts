import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from './project-files.mjs';
import { printedAsShown, shellBlocks } from './readme-blocks.mjs';

const readme = [
  '# Title',
  '',
  '## Start',
  '```sh',
  'one',
  'two',
  '```',
  '```',
  'out',
  '```',
  'Text.',
  '```',
  'no',
  '```',
];
const inList = [
  '1. Step',
  '',
  '   ```sh',
  '   if true; then',
  '     five',
  '   fi',
  '   ```',
  '   ```',
  '   out',
  '   ```',
];
const more = [
  '### Try',
  '```yaml',
  'a: 1',
  '```',
  '```sh',
  'three',
  '```',
  '',
  '```',
  'apart',
  '```',
  '## End',
  '```sh',
  'four',
  '```',
];

describe('the shell blocks of a README', () => {
  const blocks = shellBlocks([...readme, ...more].join('\n'));

  it('are those marked sh, each with its headings and its first line', () => {
    expect(blocks.map(({ commands, under, line }) => ({ commands, under, line }))).toEqual([
      { commands: 'one\ntwo', under: ['Title', 'Start'], line: 5 },
      { commands: 'three', under: ['Title', 'Start', 'Try'], line: 20 },
      { commands: 'four', under: ['Title', 'End'], line: 28 },
    ]);
  });

  it('in a list are those without its indentation', () => {
    expect(shellBlocks(inList.join('\n'))).toEqual([
      { commands: 'if true; then\n  five\nfi', under: [], line: 4, output: 'out' },
    ]);
  });

  it('take their output from the block directly below them only', () => {
    expect(blocks.map(({ output }) => output)).toEqual(['out', undefined, undefined]);
  });
});

describe('the expected output in a README', () => {
  it.each([
    ['CON Hello\n1. More', 'CON Hello\n1. More\n'],
    ['{"a":1, …', '{"a":1,"b":2}'],
    ['… "b":2 …', '{"a":1,"b":2}'],
    ['a.b', 'a.b'],
  ])('%j is printed by %j', (shown, printed) => expect(printedAsShown(shown, printed)).toBe(true));

  it.each([
    ['CON Hello', 'END Hello'],
    ['CON Hello', 'CON Hello again'],
    ['{"a":1, …', '{"a":2,"b":2}'],
    ['… "b":2', '{"a":1,"b":2}'],
    ['a.b', 'a-b'],
  ])('%j is not printed by %j', (shown, printed) => expect(printedAsShown(shown, printed)).toBe(false));
});

it.each(['README.md', 'deploy/README.md'])('every call that %s has by itself in a block shows its answer', (path) => {
  const calls = shellBlocks(readFileSync(join(repositoryRoot, path), 'utf8')).filter(({ commands }) =>
    /^curl /m.test(commands),
  );
  expect(calls.length).toBeGreaterThan(1);
  for (const { commands, output } of calls) expect(output, commands).toBeDefined();
});

it('shows the same commands in README.md, which are run with the images, and on the home page of the site', () => {
  const commandsIn = (file: string) =>
    shellBlocks(readFileSync(join(repositoryRoot, file), 'utf8')).map(({ commands }) => commands);
  const home = commandsIn('docs/README.md');
  expect(home).toHaveLength(3);
  expect(commandsIn('README.md')).toEqual(expect.arrayContaining(home));
});
