import { describe, expect, it } from 'vitest';
import { codeBlocks, problemsIn } from './code-blocks.mjs';

const doors = new Map([['@mlango/crypto/hashing', new Set(['sha256'])]]);
const problems = (language: string, text: string) => problemsIn({ language, line: 1, text }, doors);

describe('codeBlocks', () => {
  it('finds each with its language, its line and its text, also in a list', () => {
    const markdown = '# A\n\n```sh\nls\n```\n\n1. One\n   ```json title\n   {}\n   ```\n\n```\nplain\n```\n';
    expect(codeBlocks(markdown)).toEqual([
      { language: 'sh', line: 4, text: 'ls\n' },
      { language: 'json', line: 9, text: '{}\n' },
      { language: '', line: 13, text: 'plain\n' },
    ]);
  });
});

describe('a block with lines left out', () => {
  it('is read in pieces', () => {
    const pieces = codeBlocks('```yaml\na:\n  b: 1\n…\n    c: 2\n```\n');
    expect(pieces.map(({ text }) => text)).toEqual(['a:\n  b: 1\n', '    c: 2\n']);
  });
});

describe('problemsIn', () => {
  it.each([
    ['json', '{"a": 1}'],
    ['json', '{"a": 1}\n{"b": 2}'],
    ['yaml', 'a: 1\n---\nb: [2]'],
    ['sh', 'if true; then ls; fi'],
    [
      'ts',
      "import { sha256 as hash } from '@mlango/crypto/hashing';\nimport { z } from 'zod';\nconst a: string = hash;",
    ],
    ['tsx', 'const page = <Page of="all" />;'],
    ['ts', '  one: 1,\n  async two() {},'],
    ['ts', '  one({ two }),\n'],
    ['', 'if ('],
  ])('finds none in %s that can be read', (language, text) => expect(problems(language, text)).toEqual([]));

  it.each([
    ['json', '{a: 1}'],
    ['yaml', 'a: [1'],
    ['sh', 'if true; then ls'],
    ['ts', 'const = 1;'],
    ['ts', '  one: ,'],
    ['js', 'return {;'],
    ['tsx', 'const page = <Page>;'],
  ])('finds %s that cannot', (language, text) => expect(problems(language, text)).not.toEqual([]));

  it('finds an import of what is not there', () => {
    expect(problems('ts', "import { md5, sha256 } from '@mlango/crypto/hashing';")).toEqual([
      '@mlango/crypto/hashing has no md5',
    ]);
    expect(problems('ts', "import { x } from '@mlango/crypto/rings';")).toEqual(['@mlango/crypto/rings is no door']);
  });
});
