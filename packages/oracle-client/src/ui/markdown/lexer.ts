import { Lexer, type MarkedOptions, type Token, Tokenizer, type Tokens } from 'marked';

export type MathToken = Tokens.Generic & { readonly type: 'math'; readonly text: string; readonly isBlock: boolean };

const block = /^(?:\$\$([^$]{1,5000})\$\$|\\\[([\s\S]{1,5000}?)\\\])[ \t]*(?:\n|$)/;
// A dollar sign next to a space, or before a digit, is money.
const inline = /^(?:\$\$([^$]{1,1000})\$\$|\$(?!\s)([^$\n]{1,1000}?)(?<![\s\\])\$(?!\d)|\\\(([^\n]{1,1000}?)\\\))/;

/** Formulas between `$`, `$$`, `\(` and `\[`. */
export const mathExtensions: NonNullable<MarkedOptions['extensions']> = {
  renderers: {},
  childTokens: {},
  block: [(src) => mathIn(block.exec(src), true)],
  inline: [(src) => mathIn(inline.exec(src), false)],
  startBlock: [(src) => placeOf(/\$\$|\\\[/, src)],
  startInline: [(src) => placeOf(/\$|\\\(/, src)],
};

function mathIn(found: RegExpExecArray | null, isBlock: boolean): MathToken | undefined {
  if (found === null) return undefined;
  const [raw, ...sources] = found;
  return { type: 'math', raw, text: (sources.find((source) => source !== undefined) ?? '').trim(), isBlock };
}

function placeOf(sign: RegExp, src: string): number | undefined {
  const at = src.search(sign);
  return at === -1 ? undefined : at;
}

/** Limits of a text. Beyond them it is shown as plain text. */
export const markdownLimits = {
  /** Quotes in lists in quotes, and emphasis in links in emphasis. */
  depth: 12,
  /** Characters of one paragraph or cell: to find the ends of emphasis may take the square of them. */
  inlineChars: 10_000,
  /** Limit of cells in one table: short rows are filled up. */
  tableCells: 20_000,
  /** Characters of a text. An oracle may send a frame of megabytes. */
  chars: 400_000,
} as const;

/** Characters that addresses do not have. */
const noneOfAddresses = /["{}\\^`|]/;

class BoundedTokenizer extends Tokenizer {
  override table(src: string): Tokens.Table | undefined {
    const end = src.search(/\n[ \t]*(?:\n|$)/);
    const rows = end === -1 ? src : src.slice(0, end);
    const columns = countOf('|', rows.slice(0, Math.max(0, rows.indexOf('\n'))));
    return columns * countOf('\n', rows) > markdownLimits.tableCells ? undefined : super.table(src);
  }

  /** A URL in JSON ends at the quote, not at the end of the word. */
  override url(src: string): Tokens.Link | undefined {
    const found = super.url(src);
    const end = found?.raw.search(noneOfAddresses) ?? -1;
    return end === -1 ? found : super.url(src.slice(0, end));
  }
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

const plain: MarkedOptions = { gfm: true, breaks: true };

/** Parses GitHub-flavoured Markdown in time linear in the text. */
export class BoundedLexer extends Lexer {
  /** The number of scans of characters, including repeated ones. */
  scannedChars = 0;
  #depth = 0;

  constructor(extensions?: MarkedOptions['extensions']) {
    super({ ...plain, tokenizer: new BoundedTokenizer(plain), ...(extensions ? { extensions } : {}) });
  }

  /** The blocks of a text. Inline content is parsed on render. */
  blocksOf(text: string): Token[] {
    const tokens = this.blockTokens(text, []);
    this.inlineQueue = [];
    return tokens;
  }

  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped?: boolean): never {
    return this.#within(src, tokens, () => super.blockTokens(src, tokens, lastParagraphClipped)) as never;
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length > markdownLimits.inlineChars) return textOnly(src, tokens);
    return this.#within(src, tokens, () => super.inlineTokens(src, tokens));
  }

  #within(src: string, tokens: Token[], read: () => Token[]): Token[] {
    if (this.#depth >= markdownLimits.depth) return textOnly(src, tokens);
    this.scannedChars += src.length;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }
}

function textOnly(text: string, tokens: Token[]): Token[] {
  tokens.push({ type: 'text', raw: text, text, escaped: true });
  return tokens;
}
