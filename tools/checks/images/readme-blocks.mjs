/**
 * A shell block of a README.
 * @typedef {object} ShellBlock
 * @property {string} heading - the one above it, without its marks
 * @property {readonly string[]} under - that heading and those it belongs to, outermost first
 * @property {number} line - where its first command stands, from 1
 * @property {string} commands
 * @property {string | undefined} output - of the block without a language that follows at once: what the commands print
 */

/**
 * The blocks of a text that are marked `sh`, in their order.
 * @param {string} markdown
 * @returns {ShellBlock[]}
 */
export function shellBlocks(markdown) {
  /** @type {ShellBlock[]} */
  const blocks = [];
  /** @type {string[]} */
  let headings = [];
  /** @type {{ language: string, line: number, lines: string[] } | undefined} */
  let open;
  /** The shell block that ended in the line above. @type {ShellBlock | undefined} */
  let justEnded;

  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    if (open === undefined) {
      if (line.startsWith('```')) {
        open = { language: line.slice(3), line: index + 2, lines: [] };
      } else {
        headings = headingsAt(line, headings);
        justEnded = undefined;
      }
    } else if (line !== '```') {
      open.lines.push(line);
    } else {
      const text = open.lines.join('\n');
      if (open.language === '' && justEnded !== undefined) justEnded.output = text;
      justEnded = undefined;
      if (open.language === 'sh') {
        justEnded = {
          heading: headings.at(-1) ?? '',
          under: headings,
          line: open.line,
          commands: text,
          output: undefined,
        };
        blocks.push(justEnded);
      }
      open = undefined;
    }
  }
  return blocks;
}

/**
 * The headings that what follows a line stands under.
 * @param {string} line
 * @param {string[]} above - those of the line before
 */
function headingsAt(line, above) {
  const [, marks, text] = /^(#+) (.+)$/.exec(line) ?? [];
  return marks === undefined || text === undefined ? above : [...above.slice(0, marks.length - 1), text];
}
