import { describe, expect, it } from 'vitest';
import { isReadable, settled, splitBlocks, withDefinitions } from './blocks.js';

describe('the blocks of a text', () => {
  it.each([
    ['One.\n\nTwo.', ['One.', 'Two.']],
    ['- a\n\n- b\n\n  more of b\n\nText', ['- a\n\n- b\n\n  more of b', 'Text']],
    ['Intro:\n1. a\n\n2. b', ['Intro:\n1. a\n\n2. b']],
    ['```ts\na\n\nb\n```\n\nText', ['```ts\na\n\nb\n```', 'Text']],
    ['````\n```\n\nb\n````\n\nText', ['````\n```\n\nb\n````', 'Text']],
    ['- a\n  ```\n  b\n\nc\n  ```\n\nText', ['- a\n  ```\n  b\n\nc\n  ```', 'Text']],
    ['> a\n\n> b', ['> a', '> b']],
    ['\n\n\n', []],
  ])('of %j end at empty lines outside of code and lists', (text, blocks) => {
    expect(splitBlocks(text)).toEqual(blocks);
  });

  it('do not change while the text grows, except the last one', () => {
    const text = 'One.\n\n- a\n\n- b\n\n```\nc\n\nd\n```\n\n|a|\n|-|\n|b|\n\nEnd.';
    const all = splitBlocks(text);
    for (let at = 1; at < text.length; at++) {
      const grown = splitBlocks(text.slice(0, at)).slice(0, -1);
      expect(grown).toEqual(all.slice(0, grown.length));
    }
  });

  it('get the definitions of the links that they refer to', () => {
    const blocks = splitBlocks('See [the docs][1].\n\nOther.\n\n[1]: https://docs.example/\n[2]: https://b.example/');
    expect(withDefinitions(blocks).slice(0, 2)).toEqual(['See [the docs][1].\n\n[1]: https://docs.example/', 'Other.']);
  });
});

describe('the last block of a growing text', () => {
  it.each([
    ['Text\n-', 'Text'],
    ['| a | b |', ''],
    ['| a | b |\n|--', ''],
    ['- one\n-', '- one'],
    ['Text\n1.', 'Text'],
    ['``', ''],
    ['```typ', '```'],
    ['```ts\nlet a = **', '```ts\nlet a = **'],
    ['It is **bo', 'It is **bo**'],
  ])('%j is held back or closed as %j until its meaning is known', (block, shown) => {
    expect(settled(block)).toBe(shown);
  });
});

describe('a hostile text', () => {
  it('of nested quotes, lists or indentation is not read as Markdown', () => {
    for (const piece of ['>', '> ', '* ', '1. ']) expect(isReadable(piece.repeat(20))).toBe(false);
    expect(isReadable(`- a\n${' '.repeat(120)}- b`)).toBe(false);
    expect(isReadable(`> - 1. a\n>   - b`)).toBe(true);
  });

  it('of one long block is not read as Markdown, unless it is code', () => {
    expect(isReadable('a**b'.repeat(10_000))).toBe(false);
    expect(isReadable(`\`\`\`\n${'a'.repeat(40_000)}`)).toBe(true);
  });

  it('of nested emphasis is not read as Markdown, while many words may be emphasised', () => {
    expect(isReadable('*a '.repeat(100) + 'c* '.repeat(100))).toBe(false);
    expect(isReadable('*one* **two** and_three_four '.repeat(400))).toBe(true);
  });

  it('cannot fill a table with cells that it does not contain', () => {
    const rows = (count: number) => `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(count)}`;
    expect(isReadable(rows(500))).toBe(true);
    expect(isReadable(`|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${'|b|\n'.repeat(500)}`)).toBe(false);
  });

  it('refers to definitions up to a limit', () => {
    const definition = `[a]: https://a.example/${'a'.repeat(900)}`;
    const blocks = splitBlocks(`${'See [a].\n\n'.repeat(1_000)}${definition}`);
    expect(withDefinitions(blocks).join('').length).toBeLessThan(blocks.join('').length + 25_000);
  });
});
