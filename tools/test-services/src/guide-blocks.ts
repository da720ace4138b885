import { readFileSync } from 'node:fs';

export interface GuideBlock {
  /** The file for the block: from a line "Save this as `NAME`:" before it. */
  readonly file: string | undefined;
  readonly language: string;
  readonly text: string;
}

const block = /(?:Save this as `([\w.]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm;

/**
 * The code blocks of a guide that a reader runs, `js` and `sh`, in their order.
 *
 * @param name of a file in `docs/guides`, without its ending
 */
export function guideBlocks(name: string): readonly GuideBlock[] {
  const guide = readFileSync(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8');
  return [...guide.matchAll(block)]
    .map(([, file, language = '', text = '']) => ({ file, language, text }))
    .filter(({ language }) => ['js', 'sh'].includes(language));
}
