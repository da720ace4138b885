import remend from 'remend';

/** Limits of a text. Text beyond them is shown as written, because reading Markdown may take the square of its length. */
export const markdownLimits = {
  /** Characters of a text, and blocks of it. */
  chars: 200_000,
  blocks: 1_000,
  /** Characters of one block other than code. */
  blockChars: 20_000,
  /** Marks of emphasis that are open at once. */
  emphasis: 50,
  /** Cells of one table: short rows are filled up to the columns of its head. */
  tableCells: 20_000,
} as const;

const fence = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*(`{3,}|~{3,})/;
const listItem = /^(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;

/**
 * Splits a text into blocks that can be rendered one by one: at each empty line that is neither in code nor in a list. While a
 * text grows only its last block changes. Linear in the text.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let openFence: string | undefined;
  let isInList = false;
  let isAfterEmptyLine = false;
  for (const line of text.split('\n')) {
    const isListItem = listItem.test(line);
    const continues = /^[ \t]/.test(line) || (isInList && isListItem);
    if (isAfterEmptyLine && openFence === undefined && line.trim() !== '' && !continues) {
      blocks.push(block.join('\n').trimEnd());
      block = [];
      isInList = false;
    }
    block.push(line);
    isAfterEmptyLine = line.trim() === '' && block.length > 1;
    isInList ||= isListItem;
    const [, mark = ''] = fence.exec(line) ?? [];
    if (openFence === undefined) openFence = mark === '' ? undefined : mark;
    else if (mark.startsWith(openFence) && line.trimEnd().endsWith(mark)) openFence = undefined;
  }
  return [...blocks, block.join('\n').trimEnd()].filter((one) => one.trim() !== '');
}

/** Whether a block is short enough to be read as Markdown. */
export function isReadable(block: string): boolean {
  if (fence.test(block)) return true;
  if (block.length > markdownLimits.blockChars || tooDeep.test(block) || isDeeplyEmphasised(block)) return false;
  const lines = block.split('\n');
  const columns = Math.max(...lines.map((line) => line.split('|').length - 1));
  return columns * lines.length <= markdownLimits.tableCells;
}

const emphasis = /[*_~]+/g;

/** Whether many marks of emphasis may be open at once: rendering them in each other takes the square of their number. */
function isDeeplyEmphasised(block: string): boolean {
  let depth = 0;
  for (const { 0: mark, index } of block.matchAll(emphasis)) {
    const [before = ' ', after = ' '] = [block[index - 1], block[index + mark.length]];
    if (/\S/.test(after)) depth += 1;
    if (/\S/.test(before)) depth = Math.max(0, depth - (/\S/.test(after) ? 2 : 1));
    if (depth > markdownLimits.emphasis) return true;
  }
  return false;
}

/** More than twelve quotes or lists in each other. */
const tooDeep = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){13}|^[ \t]{100}/m;

/** Only punctuation or a number: it may become a list, a rule, a heading or a table. */
const halfMark = /(?:^|\n)[ \t]*(?:[-=*+_#>~`|]+|\d{1,9}[.)]?)[ \t]*$/;
/** The head of a table, until the line below it is complete. */
const tableHead = /(?:^|\n)[ \t]*\|[^\n]*(?:\n[ \t]*[|:\- \t]*)?$/;
const tableRow = /(?:^|\n)[ \t]*\|[^\n]*$/;
/** A fence with the beginning of the name of a language. */
const fenceLine = /((?:^|\n)[ \t]*(?:`{3,}|~{3,}))[^\n`]+$/;

/**
 * The last block of a growing text, as the next characters will not change how it is rendered: its ambiguous end is held back,
 * and open marks in its last line are closed. A half link becomes its text, half bold becomes bold.
 */
export function settled(block: string): string {
  const text = withoutHalfMarks(block).replace(fenceLine, '$1');
  const at = text.lastIndexOf('\n') + 1;
  if (hasOpenFence(text)) return text;
  return text.slice(0, at) + remend(text.slice(at), remendOptions);
}

const remendOptions = {
  linkMode: 'text-only',
  // These handlers change complete texts, or remove visible text.
  comparisonOperators: false,
  singleTilde: false,
  setextHeadings: false,
  htmlTags: false,
  katex: false,
} as const;

function withoutHalfMarks(text: string): string {
  const head = tableHead.exec(text);
  // A row below another one belongs to a known table, or to none.
  if (head !== null && !tableRow.test(text.slice(0, head.index))) return text.slice(0, head.index);
  return text.replace(halfMark, '');
}

function hasOpenFence(block: string): boolean {
  return block.split('\n').filter((line) => fence.test(line)).length % 2 === 1;
}

export interface TableParts {
  /** The names of the columns, and the line below them. */
  readonly head: string;
  /** The other rows, a few in each part. */
  readonly rows: readonly string[];
}

const tableOnly = /^(\|[^\n]*\n\|[ \t|:-]*)(?:\n\|[^\n]*)*$/;
const rowsOfPart = 10;

/** The parts of a block that is nothing but a table with a bar at the start of each line; undefined for any other. */
export function tableParts(block: string): TableParts | undefined {
  const [, head] = tableOnly.exec(block) ?? [];
  if (head === undefined) return undefined;
  const lines = block.slice(head.length + 1).split('\n');
  const count = Math.ceil(lines.length / rowsOfPart);
  return {
    head,
    rows: Array.from({ length: count }, (_, part) =>
      lines.slice(part * rowsOfPart, (part + 1) * rowsOfPart).join('\n'),
    ).filter((rows) => rows !== ''),
  };
}

const definition = /^ {0,3}\[([^\]^\n][^\]\n]{0,199})\]:[ \t]*\S[^\n]{0,1000}$/gm;
const reference = /\[([^\]\n]{1,200})\]/g;

/** Each block together with the definitions (`[name]: https://…`) of the links that it refers to, since it is read alone. */
export function withDefinitions(blocks: readonly string[]): readonly string[] {
  const prose = blocks.filter((block) => block.includes(']:') && !fence.test(block));
  const definitions = new Map(
    prose.flatMap((block) => [...block.matchAll(definition)]).map(([line, name = '']) => [name.toLowerCase(), line]),
  );
  if (definitions.size === 0) return blocks;
  let left: number = markdownLimits.blockChars;
  return blocks.map((block) => {
    if (fence.test(block)) return block;
    const names = new Set([...block.matchAll(reference)].map(([, name = '']) => name.toLowerCase()));
    const needed = [...names].flatMap((name) => definitions.get(name) ?? []).join('\n');
    left -= needed.length;
    return needed === '' || left < 0 ? block : `${block}\n\n${needed}`;
  });
}
