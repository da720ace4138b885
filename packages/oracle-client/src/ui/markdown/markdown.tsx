import { type ReactElement, useContext, useMemo, useState } from 'react';
import { BlockReader } from './block-reader.js';
import { Blocks } from './blocks.js';
import { mathExtensions } from './lexer.js';
import { MarkdownContext, MathContext, type RenderMath } from './markdown-context.js';

export interface MarkdownProps {
  readonly text: string;
  /** More text follows: incomplete syntax is closed or held back. */
  readonly isStreaming?: boolean;
  /** Renders formulas; default: that of the `UiRoot`. Without it they are shown as written. Pass a stable function. */
  readonly math?: RenderMath | undefined;
}

/**
 * The text of an oracle, rendered as Markdown. Nothing in it becomes markup of its own, runs, or fetches anything; links lead to
 * http, https and mailto only; work and memory grow linearly with the text.
 */
export function Markdown({ text, isStreaming = false, ...props }: MarkdownProps): ReactElement {
  const ofRoot = useContext(MathContext);
  const math = props.math ?? ofRoot;
  const hasMath = math !== undefined;
  const [readers] = useState(() => new Map<boolean, BlockReader>());
  const reader = readers.get(hasMath) ?? new BlockReader(hasMath ? mathExtensions : undefined);
  readers.set(hasMath, reader);
  const { blocks, links, rest } = reader.read(text, isStreaming);
  const shared = useMemo(() => ({ links, math }), [links, math]);
  return (
    <MarkdownContext.Provider value={shared}>
      <div className="mlango-markdown">
        <Blocks tokens={blocks} isOpen={isStreaming} />
        {rest === '' ? null : <p>{rest}</p>}
      </div>
    </MarkdownContext.Provider>
  );
}
