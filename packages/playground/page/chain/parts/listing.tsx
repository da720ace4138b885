import type { ReactNode } from 'react';
import { ScrollBox } from '../../shell/scroll-box.js';
import { PAGE_SIZE } from '../here/page-path.js';
import { type Filter, FilterBar, useCondition } from './filter-bar.js';
import { Outcome } from './outcome.js';
import { Pager } from './pager.js';
import { RawAnswer } from './raw-answer.js';
import { usePages } from './use-pages.js';

interface ListingProps<Row> {
  /** What the list is of, in small letters. */
  readonly name: string;
  readonly path: string;
  readonly rowsOf: (body: never) => readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly columns: readonly { readonly name: string; readonly of: (row: Row) => ReactNode }[];
  readonly filters?: readonly Filter<Row>[];
}

/** The chain has no filters of its own: this many are looked through at a time, which is what a gateway gives at most. */
const LOOKED_THROUGH = 1000;
/** Of those that are left no more are shown: a page of a browser should stay quick. */
const SHOWN = 200;

/** A list of the chain as a table, by pages, with filters that stand in the address. */
export function Listing<Row>({ name, path, rowsOf, idOf, columns, filters = [] }: ListingProps<Row>) {
  const condition = useCondition(filters);
  const pages = usePages<never>(path, condition === undefined ? PAGE_SIZE : LOOKED_THROUGH);
  const all = pages.body === undefined ? [] : rowsOf(pages.body);
  const rows = condition === undefined ? all : all.filter(condition);
  const heading = name.charAt(0).toUpperCase() + name.slice(1);
  return (
    <section className="stack" aria-labelledby={`${name}-heading`} aria-busy={pages.isLoading}>
      <h2 id={`${name}-heading`}>{heading}</h2>
      {filters.length > 0 ? <FilterBar filters={filters} /> : null}
      {condition === undefined || pages.body === undefined ? null : (
        <p className="small quiet" role="status">
          {rows.length} of {all.length} {name} searched
          {rows.length > SHOWN ? `, first ${SHOWN} shown` : ''}
        </p>
      )}
      <Outcome asked={pages}>
        {() => (
          <ScrollBox className="table-frame" label={heading}>
            <table>
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th key={column.name} scope="col">
                      {column.name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.slice(0, SHOWN).map((row) => (
                  <tr key={idOf(row)}>
                    {columns.map((column, index) =>
                      index === 0 ? (
                        <th key={column.name} scope="row">
                          {column.of(row)}
                        </th>
                      ) : (
                        <td key={column.name}>{column.of(row)}</td>
                      ),
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
      </Outcome>
      {pages.answer === undefined ? null : <Pager pages={pages} name={name} />}
      <RawAnswer asked={pages} />
    </section>
  );
}
