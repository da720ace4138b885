import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles, repositoryRoot } from './project-files.mjs';

const text = readFileSync(join(repositoryRoot, 'SECURITY.md'), 'utf8');
const tests = new Set(projectFiles().map((file) => basename(file)));

/** The entries of a section: a list with a bold subject, the attack or limit, the defence, and `Test:` or `Tests:`. */
function entriesOf(heading: string): { subject: string; named: string[]; entry: string }[] {
  const [section = ''] = text.split(`\n## ${heading}\n`)[1]?.split('\n## ') ?? [];
  return [...section.matchAll(/^- .*(?:\n {2}.*)*/gm)].map(([entry]) => {
    const [, names = ''] = /\n {2}Tests?: ([\s\S]*)$/.exec(entry) ?? [];
    return {
      subject: (entry.split(/\n {2}[A-Z]/)[0] ?? '').replaceAll(/\s+/g, ' '),
      named: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      entry,
    };
  });
}

describe.each([
  ['Assets, attackers, defences, tests', 'Defence', 40],
  ['What a plugin can do', 'Enforced by', 4],
])('SECURITY.md, %s', (heading, defence, atLeast) => {
  const entries = entriesOf(heading);

  it('has entries', () => {
    expect(entries.length).toBeGreaterThanOrEqual(atLeast);
  });

  it.each(entries)('$subject: has a defence and names tests that exist', ({ entry, named }) => {
    expect(entry).toMatch(new RegExp(`^- \\*\\*[\\s\\S]+\\n {2}${defence}: `));
    expect(named).not.toEqual([]);
    for (const name of named.filter((one) => !one.startsWith('npm run'))) expect(tests).toContain(name);
  });
});
