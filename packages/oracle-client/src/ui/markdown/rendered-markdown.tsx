import { memo, type ReactElement, useContext } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import {
  isReadable,
  markdownLimits,
  settled,
  splitBlocks,
  type TableParts,
  tableParts,
  withDefinitions,
} from './blocks.js';
import { components, headOnly, OpenContext, rowsOnly, TableBox } from './elements.js';
import { formulaOfBlock, MathContext, type RenderMath, withMarkedFormulas } from './math.js';
import { rehypeTaskNames, remarkPlainText } from './plugins.js';

export interface MarkdownProps {
  readonly text: string;
  /** More text follows: incomplete syntax is closed or held back. */
  readonly isStreaming?: boolean;
  /** Renders formulas; default: that of the `UiRoot`. Without it they are shown as written. Pass a stable function. */
  readonly math?: RenderMath | undefined;
}

/** A text as Markdown, in blocks: an unchanged block is neither read nor rendered again. */
export function RenderedMarkdown({ text, isStreaming = false, ...props }: MarkdownProps): ReactElement {
  const inherited = useContext(MathContext);
  const math = props.math ?? inherited;
  const whole = text.slice(0, markdownLimits.chars).replace(/\r\n?/g, '\n');
  const blocks = withDefinitions(splitBlocks(whole));
  const last = blocks.length - 1;
  const rest = blocks.slice(markdownLimits.blocks).join('\n\n') + text.slice(markdownLimits.chars);
  return (
    <MathContext.Provider value={math}>
      <div className="mlango-markdown">
        {blocks.slice(0, markdownLimits.blocks).map((block, at) => {
          const isOpen = isStreaming && at === last;
          // biome-ignore lint/suspicious/noArrayIndexKey: a text grows at its end only.
          return <Block key={at} text={isOpen ? settled(block) : block} isOpen={isOpen} />;
        })}
        {rest === '' ? null : <p className="mlango-written">{rest}</p>}
      </div>
    </MathContext.Provider>
  );
}

interface BlockProps {
  readonly text: string;
  /** More text may follow. */
  readonly isOpen: boolean;
}

const remarkPlugins = [remarkGfm, remarkBreaks, remarkPlainText];
const rehypePlugins = [rehypeSanitize, rehypeTaskNames];
/** Links are judged where they are rendered. */
const unchanged = (url: string) => url;

const Block = memo(({ text, isOpen }: BlockProps): ReactElement => {
  const math = useContext(MathContext);
  if (!isReadable(text)) return <p className="mlango-written">{text}</p>;
  const formula = math && formulaOfBlock(text);
  if (formula !== undefined) return <div className="mlango-math">{math?.(formula, true)}</div>;
  const table = tableParts(text);
  if (table !== undefined) return <TableBlock {...table} />;
  return (
    <OpenContext.Provider value={isOpen}>
      <Parsed text={text} elements={components} />
    </OpenContext.Provider>
  );
});

interface ParsedProps {
  readonly text: string;
  readonly elements: Components;
}

/** Memoised: parts of a table are read once. */
const Parsed = memo(({ text, elements }: ParsedProps): ReactElement => {
  const math = useContext(MathContext);
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      components={elements}
      urlTransform={unchanged}
    >
      {math === undefined || text.startsWith('```') ? text : withMarkedFormulas(text)}
    </ReactMarkdown>
  );
});

/** A table in parts, each read with the head of the table, so that complete rows are not read again while it grows. */
function TableBlock({ head, rows }: TableParts): ReactElement {
  return (
    <TableBox>
      <Parsed text={head} elements={headOnly} />
      <tbody>
        {rows.map((some, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a table grows at its end only.
          <Parsed key={at} text={`${head}\n${some}`} elements={rowsOnly} />
        ))}
      </tbody>
    </TableBox>
  );
}
