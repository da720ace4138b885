import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles, repositoryRoot } from './project-files.mjs';

const longestLine = 140;
/** As shown: without the addresses of links. */
const longestCell = 200;

/** Words that stand for a noun, or give a program a person's acts. Each has a plain word of the field. */
const privateWords = [
  'nobody',
  'somebody',
  'whoever',
  'whomever',
  'whom',
  'whatever',
  'tell',
  'tells',
  'telling',
  'told',
  'untold',
  'say',
  'says',
  'said',
  'saying',
  'asks',
  'asked',
  'asking',
  'keeper',
  'heard',
  'hears',
  'insist',
  'insists',
  'spoken',
  'gone',
  'away',
  'elsewhere',
  'beside',
  'whose',
  'afresh',
  'anew',
  'tongue',
  'tongues',
  'lets go',
  'let go of',
  'letting go',
  'comes again',
  'come again',
  'once and for all',
  'hands over',
];
const pattern = new RegExp(`\\b(${privateWords.join('|')})\\b`, 'gi');

const markdown = projectFiles().filter((file) => file.endsWith('.md') && !/(^|\/)CHANGELOG\.md$/.test(file));
const isChangeset = (file: string) => file.startsWith('.changeset/');
const pages = markdown.filter((file) => !isChangeset(file));
const linesOf = (file: string) => proseOf(readFileSync(join(repositoryRoot, file), 'utf8'));

/** Lines of prose by number: without code blocks, code spans, quotations and the addresses of links. */
function proseOf(page: string): Map<number, string> {
  const prose = new Map<number, string>();
  let isCode = false;
  for (const [index, line] of page.split('\n').entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    else if (!isCode && !/^( {4}|\t)/.test(line)) prose.set(index + 1, line);
  }
  return prose;
}

/** The cells of tables by line. Tables of settings are written from the configuration. */
function cellsOf(page: string): [number, string][] {
  const own = page.replaceAll(/<!-- settings: [\s\S]*?<!-- end of settings -->/g, (table) =>
    table.replaceAll(/[^\n]/g, ''),
  );
  return [...proseOf(own)]
    .filter(([, line]) => /^\s*\|/.test(line))
    .flatMap(([number, line]) =>
      line
        .replaceAll(/\]\([^)]*\)/g, ']')
        .split(/(?<!\\)\|/)
        .map((cell): [number, string] => [number, cell.trim()]),
    );
}

const wordsOf = (line: string) =>
  line
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']');

describe.each(pages)('%s', (file) => {
  const lines = linesOf(file);

  it(`has no line over ${longestLine} characters`, () => {
    // The address of a link, and the exact text of a program, cannot be shorter.
    const long = [...lines].filter(
      ([, line]) => !/^\[[^\]]+\]: /.test(line) && line.replaceAll(/`[^`]{80,}`/g, '').length > longestLine,
    );
    expect(long.map(([number]) => `${file}:${number}`)).toEqual([]);
  });

  it(`has no cell of a table over ${longestCell} characters`, () => {
    const long = cellsOf(readFileSync(join(repositoryRoot, file), 'utf8')).filter(
      ([, cell]) => cell.length > longestCell,
    );
    expect(long.map(([number]) => `${file}:${number}`)).toEqual([]);
  });

  it('describes each image', () => {
    const bare = [...lines].filter(([, line]) => /!\[\s*\]\(|<img (?![^>]*alt="[^"]+")/.test(line));
    expect(bare.map(([number]) => `${file}:${number}`)).toEqual([]);
  });

  it('uses the plain words of the field', () => {
    const found = [...lines].flatMap(([number, line]) =>
      [...wordsOf(line).matchAll(pattern)].map(([word]) => `${file}:${number}: ${word}`),
    );
    expect(found).toEqual([]);
  });
});

it.each(markdown.filter(isChangeset))(`%s has no line over ${longestLine} characters`, (file) => {
  const long = [...linesOf(file)].filter(([, line]) => line.length > longestLine);
  expect(long.map(([number]) => `${file}:${number}`)).toEqual([]);
});

it('finds the cells of tables, without the addresses of links', () => {
  const page = '| a | [b](c.md) |\n<!-- settings: x -->\n| d |\n<!-- end of settings -->\n| e \\| f |';
  expect(cellsOf(page).filter(([, cell]) => cell !== '')).toEqual([
    [1, 'a'],
    [1, '[b]'],
    [5, 'e \\| f'],
  ]);
});

it('finds a private word and a long line, and none in code', () => {
  const page = `Nobody is told.\n\`\`\`\nnobody\n\`\`\`\n\`nobody\` "somebody"`;
  const found = [...proseOf(page)].flatMap(([number, line]) =>
    [...wordsOf(line).matchAll(pattern)].map(([word]) => [number, word.toLowerCase()]),
  );
  expect(found).toEqual([
    [1, 'nobody'],
    [1, 'told'],
  ]);
});

it('docs/README.md lists each guide once: those with numbered steps as tutorials, the others as references', () => {
  const home = readFileSync(join(repositoryRoot, 'docs/README.md'), 'utf8');
  const listed = (heading: string) => {
    const [section = ''] = home.split(`\n## ${heading}\n`)[1]?.split('\n## ') ?? [];
    return [...section.matchAll(/\]\((guides\/[^)]+)\)/g)].map(([, page]) => `docs/${page}`).toSorted();
  };
  const guides = pages.filter((file) => file.startsWith('docs/guides/'));
  const hasSteps = (file: string) => /^## 1\. /m.test(readFileSync(join(repositoryRoot, file), 'utf8'));
  expect(listed('Tutorials')).toEqual(guides.filter(hasSteps).toSorted());
  expect(listed('References')).toEqual(guides.filter((file) => !hasSteps(file)).toSorted());
});
