/**
 * A fenced block of a page.
 * @typedef {object} FencedBlock
 * @property {string} language - empty without one
 * @property {readonly string[]} under - headings it belongs to, outermost first
 * @property {number} line - of its first line, from 1
 * @property {string} text
 * @property {string | undefined} output - expected output: the block without a language that follows directly
 */

/** Blocks in a list are indented. */
const BLOCK_OR_HEADING = /^( *)```(\w*)\n([\s\S]*?)\n\1```$|^(#+) (.+)$/gm;

/**
 * @param {string} markdown
 * @returns {FencedBlock[]} its blocks, in order, without those that are an output
 */
export function fencedBlocks(markdown) {
  /** @type {FencedBlock[]} */
  const blocks = [];
  /** @type {string[]} */
  let under = [];
  let endOfBlock = -1;
  for (const match of markdown.matchAll(BLOCK_OR_HEADING)) {
    const { 0: all, 1: indent = '', 2: language = '', 3: indented = '', 4: marks, 5: heading = '', index } = match;
    const text = indented.replaceAll(`\n${indent}`, '\n').slice(indent.length);
    const last = blocks.at(-1);
    if (marks !== undefined) under = [...under.slice(0, marks.length - 1), heading];
    else if (language === '' && index === endOfBlock && last !== undefined) last.output = text;
    else {
      const line = markdown.slice(0, index).split('\n').length + 1;
      blocks.push({ language, under, line, text, output: undefined });
      endOfBlock = index + all.length + 1;
    }
  }
  return blocks;
}

/**
 * A shell block of a README.
 * @typedef {Omit<FencedBlock, 'language' | 'text'> & { commands: string }} ShellBlock
 */

/**
 * @param {string} markdown
 * @returns {ShellBlock[]} the blocks marked `sh`, in order
 */
export function shellBlocks(markdown) {
  return fencedBlocks(markdown).flatMap(({ language, text, ...block }) =>
    language === 'sh' ? [{ ...block, commands: text }] : [],
  );
}

/**
 * Whether the output of commands matches a README. `…` matches any text.
 * @param {string} shown
 * @param {string} printed
 */
export function printedAsShown(shown, printed) {
  const parts = shown.trim().split(/\s*…\s*/);
  const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[^]*');
  return new RegExp(`^${pattern}$`).test(printed.trim());
}
