import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { BlockReader } from './block-reader.js';
import { loadOpenEnds } from './close-open-marks.js';
import { BoundedLexer, markdownLimits } from './lexer.js';

beforeAll(loadOpenEnds);

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const outline = (reader: BlockReader, text: string, isStreaming: boolean) =>
  reader.read(text, isStreaming).blocks.map(({ type, raw }) => `${type} ${raw.trim()}`);

/** Characters scanned for a text that arrives whole, including those within its lines. */
function workOf(text: string): number {
  const reader = new BlockReader(undefined);
  const { blocks } = reader.read(text, false);
  const lexer = new BoundedLexer();
  for (const block of blocks) if ('text' in block) lexer.inlineTokens(String(block.text));
  return reader.scannedChars + lexer.scannedChars;
}

describe('a growing text', () => {
  it('has the blocks of the whole in the end, for any split', () => {
    const whole = outline(new BlockReader(undefined), readme, false);
    const grown = new BlockReader(undefined);
    for (let at = 7; at < readme.length; at += 7) grown.read(readme.slice(0, at), true);
    expect(outline(grown, `${readme}\n\nEnd.`, true).slice(0, -1)).toEqual(whole);
    expect(outline(grown, readme, false)).toEqual(whole);
  });

  it('is read once, and its last block with each piece', () => {
    const reader = new BlockReader(undefined);
    const text = 'Twenty characters.\n\n'.repeat(1_000);
    for (let at = 0; at <= text.length; at += 10) reader.read(text.slice(0, at), true);
    expect(reader.scannedChars).toBeLessThan(text.length * 6);
  });

  it('that is replaced is read from its beginning', () => {
    const reader = new BlockReader(undefined);
    reader.read('One.\n\nTwo.\n\nThree.', true);
    expect(outline(reader, 'Four.', true)).toEqual(['paragraph Four.']);
  });

  it.each([
    ['Text\n', '-', ['paragraph Text']],
    ['Text\n\n', '| a | b |', ['paragraph Text']],
    ['Text\n\n| a | b |\n', '|--', ['paragraph Text']],
    ['- one\n', '-', ['list - one']],
    ['Text\n', '1.', ['paragraph Text']],
    ['Text\n\n', '``', ['paragraph Text']],
  ])('holds back %j after %j until its meaning is known', (before, after, shown) => {
    expect(outline(new BlockReader(undefined), before + after, true)).toEqual(shown);
  });

  it('shows held-back text when the stream ends', () => {
    expect(outline(new BlockReader(undefined), 'Text\n\n| a |', false)).toEqual(['paragraph Text', 'paragraph | a |']);
  });
});

describe('a hostile text', () => {
  const chars = 100_000;
  const filled = (piece: string) => piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);

  it.each([
    '[',
    '![',
    '[](',
    '[a](',
    '*a ',
    'a**b',
    '*_**',
    '>',
    '> ',
    '* ',
    '`',
    '<a ',
    '&',
    '\\',
    '~~a ',
    'a@',
    '|',
    '|b|\n',
    '[a]: b\n',
    ' - a\n',
  ])('of %j has bounded cost for its length', (piece) => {
    expect(workOf(filled(piece))).toBeLessThan(chars * (markdownLimits.depth + 3));
  });

  it('of nested lists is read to a depth, and the rest of it is text', () => {
    const deep = Array.from({ length: 400 }, (_, at) => `${' '.repeat(at * 2)}- a`).join('\n');
    expect(workOf(deep)).toBeLessThan(deep.length * (markdownLimits.depth + 3));
  });

  it('of nested emphasis neither ends the page nor exceeds the depth limit', () => {
    const lexer = new BoundedLexer();
    const deep = '*a '.repeat(1_500) + 'c* '.repeat(1_500);
    expect(() => lexer.inlineTokens(deep)).not.toThrow();
    expect(lexer.scannedChars).toBeLessThan(deep.length * (markdownLimits.depth + 3));
  });

  it('cannot fill a table with cells that it does not contain', () => {
    const wide = `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n${'|b|\n'.repeat(10_000)}`;
    expect(new BlockReader(undefined).read(wide, false).blocks.map(({ type }) => type)).not.toContain('table');
    const usual = `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(200)}`;
    expect(new BlockReader(undefined).read(usual, false).blocks.map(({ type }) => type)).toEqual(['table']);
  });

  it('of any length is read to a limit', () => {
    const { rest } = new BlockReader(undefined).read('a\n\n'.repeat(200_000), false);
    expect(rest).toHaveLength(600_000 - markdownLimits.chars);
  });
});
