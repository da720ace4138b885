import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles, repositoryRoot } from './project-files.mjs';

const longestLine = 140;

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

const pages = projectFiles().filter(
  (file) => file.endsWith('.md') && !/(^|\/)(CHANGELOG\.md|\.changeset\/)/.test(file),
);

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

const wordsOf = (line: string) =>
  line
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']');

describe.each(pages)('%s', (file) => {
  const lines = proseOf(readFileSync(join(repositoryRoot, file), 'utf8'));

  it(`has no line over ${longestLine} characters outside of tables`, () => {
    const long = [...lines].filter(([, line]) => line.length > longestLine && !/^\s*\||^!?\[[^\]]*\]\(/.test(line));
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
