import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, memo, type ReactElement, type ReactNode, useContext } from 'react';
import { useWords } from '../../words/words.js';
import { CodeBlock } from './code-block.js';
import { Inline } from './inline.js';
import type { MathToken } from './lexer.js';
import { MarkdownContext } from './markdown-context.js';

interface BlockProps {
  readonly token: Token;
  /** More text may follow. */
  readonly isOpen: boolean;
}

/** A block is rendered again when its text has changed, or when it becomes complete. */
const Block = memo(BlockView, (before, after) => {
  return (
    before.isOpen === after.isOpen &&
    before.token.type === after.token.type &&
    before.token.raw === after.token.raw &&
    // Closing open marks may change the text of the last block.
    !after.isOpen
  );
});

/** Headings of an answer are below those of the page and of the conversation. */
const headingsAbove = 2;

function BlockView({ token, isOpen }: BlockProps): ReactNode {
  const { math } = useContext(MarkdownContext);
  const block = token as MarkedToken | MathToken;
  switch (block.type) {
    case 'paragraph':
      return (
        <p>
          <Inline text={block.text} />
        </p>
      );
    case 'heading': {
      const name = `h${Math.min(6, block.depth + headingsAbove)}`;
      return createElement(name, { className: `mlango-h${block.depth}` }, <Inline text={block.text} />);
    }
    case 'list':
      return <List list={block as Tokens.List} isOpen={isOpen} />;
    case 'blockquote':
      return (
        <blockquote dir="auto">
          <Blocks tokens={block.tokens ?? []} isOpen={isOpen} />
        </blockquote>
      );
    case 'code':
      // The name of a language is whole when its line is.
      return (
        <CodeBlock code={block.text} language={block.raw.includes('\n') ? block.lang : undefined} isOpen={isOpen} />
      );
    case 'table':
      return <Table table={block as Tokens.Table} />;
    case 'hr':
      return <hr />;
    case 'math':
      return <div className="mlango-math">{math?.(block.text, true) ?? block.raw}</div>;
    case 'text':
      return <Inline text={block.text} />;
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    default:
      // HTML, for one.
      return <p>{block.raw.trim()}</p>;
  }
}

/** Only the last of several blocks may continue. */
export function Blocks({ tokens, isOpen }: { readonly tokens: readonly Token[]; readonly isOpen: boolean }): ReactNode {
  return tokens.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what grows at its end is known by its places.
    <Block key={at} token={token} isOpen={isOpen && at === tokens.length - 1} />
  ));
}

function List({ list, isOpen }: { readonly list: Tokens.List; readonly isOpen: boolean }): ReactElement {
  const items = list.items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what grows at its end is known by its places.
    <Item key={at} item={item} isOpen={isOpen && at === list.items.length - 1} />
  ));
  if (!list.ordered) return <ul dir="auto">{items}</ul>;
  return (
    <ol dir="auto" {...(typeof list.start === 'number' && list.start !== 1 ? { start: list.start } : {})}>
      {items}
    </ol>
  );
}

interface ItemProps {
  readonly item: Tokens.ListItem;
  readonly isOpen: boolean;
}

const Item = memo(
  ({ item, isOpen }: ItemProps): ReactElement => (
    <li {...(item.task ? { className: 'mlango-task' } : {})}>
      {item.task ? (
        <input type="checkbox" checked={item.checked === true} disabled readOnly aria-label={item.text} />
      ) : null}
      <Blocks tokens={item.tokens} isOpen={isOpen} />
    </li>
  ),
  (before, after) =>
    !after.isOpen &&
    before.isOpen === after.isOpen &&
    before.item.raw === after.item.raw &&
    before.item.loose === after.item.loose,
);

/** A table in a container of its own, which scrolls sideways, by the keyboard too. */
function Table({ table }: { readonly table: Tokens.Table }): ReactElement {
  const words = useWords().markdown;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard alone could not scroll in every browser.
    <section className="mlango-table-box" aria-label={words.table} tabIndex={0}>
      <table>
        <thead>
          <Row cells={table.header} />
        </thead>
        <tbody>
          {table.rows.map((cells, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what grows at its end is known by its places.
            <Row key={at} cells={cells} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps {
  readonly cells: readonly Tokens.TableCell[];
}

/** Memoised: complete rows do not re-render. */
const Row = memo(
  ({ cells }: RowProps): ReactElement => (
    <tr>
      {cells.map((cell, at) => {
        const Cell = cell.header ? 'th' : 'td';
        return (
          <Cell
            // biome-ignore lint/suspicious/noArrayIndexKey: what grows at its end is known by its places.
            key={at}
            dir="auto"
            scope={cell.header ? 'col' : undefined}
            className={cell.align === null ? undefined : `mlango-align-${cell.align}`}
          >
            <Inline text={cell.text} />
          </Cell>
        );
      })}
    </tr>
  ),
  (before, after) =>
    before.cells.length === after.cells.length &&
    before.cells.every(({ text, align }, at) => text === after.cells[at]?.text && align === after.cells[at]?.align),
);
