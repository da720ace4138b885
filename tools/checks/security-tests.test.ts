import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles, repositoryRoot } from './project-files.mjs';

const text = readFileSync(join(repositoryRoot, 'SECURITY.md'), 'utf8');
const heading = '## Assets, attackers, defences, tests';
const section = text.slice(text.indexOf(heading)).split(/^## /m)[1] ?? '';
const rows = [...section.matchAll(/^\| (?!-)(?!Asset)(.+) \|$/gm)].map(([, cells = '']) => cells.split(' | '));

describe('the table of defences in SECURITY.md', () => {
  const tests = new Set(projectFiles().map((file) => basename(file)));

  it.each(rows.map((cells) => [cells.slice(0, 2).join(', '), cells.at(-1) ?? '']))(
    '%s: names tests that exist',
    (_, named) => {
      const names = [...named.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      expect(names).not.toEqual([]);
      for (const name of names.filter((one) => !one.startsWith('npm run'))) expect(tests).toContain(name);
    },
  );
});
