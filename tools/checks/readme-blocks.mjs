/**
 * A shell block of a README.
 * @typedef {object} ShellBlock
 * @property {readonly string[]} under - headings it belongs to, outermost first
 * @property {number} line - of its first command, from 1
 * @property {string} commands
 * @property {string | undefined} output - expected output: the block without a language that follows directly
 */

/** Blocks in a list are indented. */
const BLOCK_OR_HEADING = /^( *)```(\w*)\n([\s\S]*?)\n\1```$|^(#+) (.+)$/gm;

/**
 * @param {string} markdown
 * @returns {ShellBlock[]} the blocks marked `sh`, in order
 */
export function shellBlocks(markdown) {
  /** @type {ShellBlock[]} */
  const blocks = [];
  /** @type {string[]} */
  let under = [];
  let endOfShell = -1;
  for (const match of markdown.matchAll(BLOCK_OR_HEADING)) {
    const { 0: all, 1: indent = '', 2: language, 3: indented = '', 4: marks, 5: heading = '', index } = match;
    const text = indented.replaceAll(`\n${indent}`, '\n').slice(indent.length);
    const last = blocks.at(-1);
    if (marks !== undefined) under = [...under.slice(0, marks.length - 1), heading];
    else if (language === 'sh') {
      const line = markdown.slice(0, index).split('\n').length + 1;
      blocks.push({ under, line, commands: text, output: undefined });
      endOfShell = index + all.length + 1;
    } else if (language === '' && index === endOfShell && last !== undefined) last.output = text;
  }
  return blocks;
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
