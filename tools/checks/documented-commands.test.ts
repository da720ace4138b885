import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandBlocks, exceptions, isException, playedPages, testedBy } from './documented-commands.mjs';
import { projectFiles, repositoryRoot } from './project-files.mjs';

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');
const pages = projectFiles().filter(
  (file) => file.endsWith('.md') && !/(^|\/)CHANGELOG\.md$|^\.(changeset|github)\//.test(file),
);
const played: readonly string[] = playedPages;

describe('every shell block of a page', () => {
  it.each(pages)('is run by a test, or is an exception with a reason: %s', (page) => {
    if (played.includes(page) || testedBy[page] !== undefined) return;
    const bare = commandBlocks(read(page)).filter((block) => !isException(page, block));
    expect(bare.map(({ line }) => `${page}:${line}`)).toEqual([]);
  });

  it.each(Object.entries(testedBy))('of %s is run by a test that names the page: %s', (page, test) => {
    const name = page.startsWith('docs/guides/') ? page.slice('docs/guides/'.length, -'.md'.length) : 'README.md';
    expect(read(test)).toContain(page.startsWith('docs/operations/') ? page : name);
  });

  it.each(exceptions)('that is an exception is there: $page $begins', ({ page, begins = '' }) => {
    expect(commandBlocks(read(page)).some(({ text }) => text.startsWith(begins))).toBe(true);
  });
});

describe('the commands of a page', () => {
  const stepsOf = (...lines: string[]) => commandBlocks(lines.join('\n')).flatMap(({ steps }) => steps);

  it('have the comments below them as their output', () => {
    expect(stepsOf('```sh', '# First', 'curl a', '# 404 {"b":1,', '#   "c":2}', '', 'curl d', '```')).toEqual([
      { command: '# First\ncurl a', printed: '{"b":1,"c":2}' },
      { command: 'curl d', printed: undefined },
    ]);
  });

  it('have the block below them as their output', () => {
    expect(stepsOf('```sh', 'curl a', '```', '```', 'b', '```')).toEqual([{ command: 'curl a', printed: 'b' }]);
  });

  it('of a console have the lines below them as their output', () => {
    expect(stepsOf('```console', '$ curl a \\', '    b', 'c', '$ d', '```')).toEqual([
      { command: 'curl a \\\n    b', printed: 'c' },
      { command: 'd', printed: '' },
    ]);
  });

  it('end at a server in the foreground', () => {
    const [node, gateway] = ['node deploy/a/dist/main.js &', 'PORT=1 node services/b/dist/main.js'];
    expect(stepsOf('```', 'npm run setup', node, gateway, gateway, '```').map(({ command }) => command)).toEqual([
      `npm run setup\n${node}\n${gateway}`,
      gateway,
    ]);
  });

  it('are not those of other languages and of outputs', () => {
    expect(stepsOf('```js', 'node', '```', '', '```', 'CON Welcome', '```')).toEqual([]);
  });
});
