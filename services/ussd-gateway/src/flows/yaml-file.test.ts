import { expect, it } from 'vitest';
import { flowFile, textsFile } from './flow-file.js';
import { YamlFile } from './yaml-file.js';

const linesOf = (text: string, shape: typeof flowFile | typeof textsFile = textsFile) =>
  new YamlFile<unknown>('f.yaml', text, shape).problems.map(({ line, description }) => `${line} ${description}`);

it('keeps scalars in their typed form', () => {
  expect(new YamlFile('f.yaml', 'a: no\nb: 00\nc: 1.50\nd: null\n', textsFile).value).toEqual({
    a: 'no',
    b: '00',
    c: '1.50',
    d: 'null',
  });
});

it.each<[string, RegExp[]]>([
  ['a: x\n  b: y\n', [/^1 Nested mappings are not allowed|^1 .*|^2 /, /^2 /]],
  ['a: *nowhere\n', [/^1 there is no &nowhere before \*nowhere/]],
  ['a: x\na: y\n', [/^2 Map keys must be unique/]],
  ['a: ""\n', [/^1 a: must not be empty/]],
  ['b: [x]\n', [/^1 b: must be a text/]],
  ['- x\n', [/^1 must be texts by key/]],
])('names the line of %j', (text, problems) => {
  const said = linesOf(text);
  expect(said.length).toBeGreaterThan(0);
  for (const line of said) expect(problems.some((problem) => problem.test(line))).toBe(true);
});

it.each<[string, string]>([
  ['version: two\n', '1 version: must be a whole number from 1 to 1000000'],
  ['version: 1\nscreens:\n  a: { lines: x }\n', '3 screens.a.lines: must be a list, each item after a -'],
  ['version: 1\nscreens:\n  a: { lines: [] , closes: maybe }\n', '3 screens.a.closes: must be true or false'],
  ['version: 1\nscreens:\n  a:\n    lines: [x]\n    optons: []\n', '5 screens.a: there is no "optons" here'],
  [
    'version: 1\nscreens:\n  a:\n    lines: [x]\n    options:\n      - { key: 1 }\n',
    '6 screens.a.options.0: key 1 must have one of to, do, refuse, resumes, looksAgain',
  ],
  ['version: 1\n', '1 start: is missing'],
])('names the fix for %j', (text, problem) => expect(linesOf(text, flowFile)).toContain(problem));

it('refuses an alias bomb', () => {
  const bomb = `a: &a [${'x,'.repeat(9)}x]\n${'bcdefghij'.replaceAll(/./g, (name) => `${name}: &${name} [${`*${String.fromCharCode(name.charCodeAt(0) - 1)},`.repeat(9)}x]\n`)}`;
  expect(linesOf(bomb)).toEqual(['1 has aliases that come to too much']);
});
