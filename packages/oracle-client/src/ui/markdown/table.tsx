import type { Tokens } from 'marked';
import { memo, type ReactElement } from 'react';
import { useWords } from '../words/words.js';
import { Inline } from './inline.js';

/** A table in a box of its own, which scrolls sideways, by the keyboard too. */
export function Table({ table }: { readonly table: Tokens.Table }): ReactElement {
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

/** A row that has come stays as it is, however many come after it. */
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
