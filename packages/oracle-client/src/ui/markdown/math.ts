import { createContext, type ReactNode } from 'react';

/** Shows a formula in TeX. */
export type RenderMath = (tex: string, isBlock: boolean) => ReactNode;

/** Renders the formulas of all texts below a `UiRoot`. */
export const MathContext = createContext<RenderMath | undefined>(undefined);

/** Marks code spans that are formulas: a character for private use. */
const mark = '\u{E000}';

const whole = /^\s*(?:\$\$([^$]{1,5000})\$\$|\\\[([\s\S]{1,5000}?)\\\])\s*$/;
// Code, or a formula. A dollar sign next to a space, or before a digit, is money.
const codeOrFormula =
  /(`+)[^`]+\1|\$\$([^$`]{1,1000})\$\$|\$(?![\s$])([^$`\n]{1,1000}?)(?<![\s\\])\$(?!\d)|\\\(([^`\n]{1,1000}?)\\\)/g;

/** The formula of a block that is nothing but a formula between `$$` or `\[` and `\]`. */
export function formulaOfBlock(block: string): string | undefined {
  const [, inDollars, inBrackets] = whole.exec(block) ?? [];
  return (inDollars ?? inBrackets)?.trim();
}

/** A block with its formulas between `$`, `$$` or `\(` and `\)` as marked code spans, in which Markdown changes nothing. */
export function withMarkedFormulas(block: string): string {
  return block.replace(codeOrFormula, (all, ticks, ...formulas) => {
    if (ticks !== undefined) return all;
    return `\`${mark}${formulas.slice(0, 3).find((formula) => formula !== undefined)}\``;
  });
}

/** The formula of a marked code span; undefined for code. */
export function formulaOfCode(code: string): string | undefined {
  return code.startsWith(mark) ? code.slice(mark.length).trim() : undefined;
}
