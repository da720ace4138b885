import type { MarkedOptions, Tokens } from 'marked';

export type MathToken = Tokens.Generic & { readonly type: 'math'; readonly text: string; readonly isBlock: boolean };

const block = /^(?:\$\$([^$]{1,5000})\$\$|\\\[([\s\S]{1,5000}?)\\\])[ \t]*(?:\n|$)/;
// A dollar with a space beside it, or a figure behind it, is money.
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
