import type { Links, MarkedOptions, Token } from 'marked';
import { closeOpenEnd, withoutHalfMarks } from './close-open-marks.js';
import { BoundedLexer, markdownLimits } from './lexer.js';

export interface ReadText {
  readonly blocks: readonly Token[];
  /** Targets of `[text][name]`. The same object until its content changes. */
  readonly links: Links;
  /** The text beyond the limit. */
  readonly rest: string;
}

const noLinks: Links = {};

/** Parses a growing text incrementally: only the last block is parsed again. */
export class BlockReader {
  readonly #extensions: MarkedOptions['extensions'];
  #text = '';
  #isStreaming = false;
  #read: ReadText = { blocks: [], links: noLinks, rest: '' };
  /** Blocks that later text cannot change, and the position of their end. */
  #settled: readonly Token[] = [];
  #settledChars = 0;
  #scannedChars = 0;

  constructor(extensions: MarkedOptions['extensions']) {
    this.#extensions = extensions;
  }

  /** Total number of scanned characters. */
  get scannedChars(): number {
    return this.#scannedChars;
  }

  read(whole: string, isStreaming: boolean): ReadText {
    if (whole === this.#text && isStreaming === this.#isStreaming) return this.#read;
    if (!isStreaming || !whole.startsWith(this.#text)) this.#settle([], 0);
    this.#text = whole;
    this.#isStreaming = isStreaming;
    const text = whole.slice(0, markdownLimits.chars).replace(/\r\n?/g, '\n');
    const tail = text.slice(this.#settledChars);
    const lexer = new BoundedLexer(this.#extensions);
    const blocks = lexer.blocksOf(isStreaming ? withoutHalfMarks(tail) : tail);
    this.#scannedChars += lexer.scannedChars;
    // A list continues after an empty line.
    const last = blocks.findLastIndex(({ type }) => type !== 'space');
    const before = this.#settled;
    if (last > 0) {
      const done = blocks.slice(0, last);
      this.#settle([...before, ...done], this.#settledChars + done.reduce((sum, { raw }) => sum + raw.length, 0));
    }
    if (isStreaming) closeOpenEnd(blocks[last], this.#extensions !== undefined);
    this.#read = {
      blocks: [...before, ...blocks].filter(({ type }) => type !== 'space' && type !== 'def'),
      links: this.#linksOf(lexer.tokens.links, isStreaming),
      rest: whole.slice(markdownLimits.chars),
    };
    return this.#read;
  }

  #settle(blocks: readonly Token[], chars: number): void {
    this.#settled = blocks;
    this.#settledChars = chars;
  }

  /** While a text grows, link definitions of earlier blocks are cached; only the last block is searched. */
  #linksOf(found: Links, isStreaming: boolean): Links {
    const known = isStreaming ? this.#read.links : noLinks;
    return Object.keys(found).every((name) => Object.hasOwn(known, name)) ? known : { ...known, ...found };
  }
}
