import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { badChangesets } from './changesets.mjs';
import { repositoryRoot } from './project-files.mjs';

describe('badChangesets', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'changesets-'));
    for (const [name, isPrivate] of [
      ['open', false],
      ['closed', true],
    ] as const) {
      mkdirSync(join(root, 'packages', name), { recursive: true });
      const manifest = { name: `@mlango/${name}`, version: '0.1.0', private: isPrivate };
      writeFileSync(join(root, 'packages', name, 'package.json'), JSON.stringify(manifest));
    }
    writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'root', private: true }));
    writeFileSync(join(root, 'pnpm-workspace.yaml'), 'packages:\n  - packages/*\n');
    mkdirSync(join(root, '.changeset'));
    const config = readFileSync(join(repositoryRoot, '.changeset/config.json'));
    writeFileSync(join(root, '.changeset/config.json'), config);
  });

  afterEach(() => rmSync(root, { recursive: true }));

  const written = (text: string, file = 'a-change.md') => writeFileSync(join(root, '.changeset', file), text);
  const naming = (name: string, type = 'minor') => `---\n"@mlango/${name}": ${type}\n---\n\nIt does more.\n`;

  it('finds nothing wrong with none, or with one for a package, be it public or private', async () => {
    expect(await badChangesets(root)).toEqual([]);
    written(naming('open', 'patch'));
    written(naming('closed'), 'another.md');
    expect(await badChangesets(root)).toEqual([]);
  });

  it.each([
    ['a package that is not there', naming('gone'), '@mlango/gone'],
    ['a weight that does not exist', naming('open', 'huge'), 'huge'],
    ['no front matter', 'It does more.\n', 'could not parse changeset'],
    ['no package', '---\n---\n\nIt does more.\n', 'names no package'],
    ['nothing to say', '---\n"@mlango/open": minor\n---\n', 'plain sentences'],
    ['a heading', '---\n"@mlango/open": minor\n---\n\n# More\n', 'plain sentences'],
  ])('refuses one with %s', async (_what, text, problem) => {
    written(text);
    expect(await badChangesets(root)).toEqual([expect.stringContaining(problem)]);
  });

  it('refuses a file that would never be read', async () => {
    written(naming('open'), 'a-change.txt');
    expect(await badChangesets(root)).toEqual(['a-change.txt is no changeset']);
  });
});
