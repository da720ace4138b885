import { type ReactNode, useId } from 'react';
import { ScrollBox } from '../../shell/parts.js';
import { useQuery, useRoute } from '../../shell/use-route.js';
import { RawAnswer } from './json-view.js';
import { chainHref } from './links.js';
import { Outcome } from './outcome.js';
import { PAGE_SIZE, pagePath } from './paths.js';
import { type ChainQuery, useChainQuery } from './requests.js';

export interface Pages<Body> extends ChainQuery {
  readonly body: Body | undefined;
  /** Counted from 1. */
  readonly page: number;
  readonly hasNext: boolean;
}

/** A paged list; the page is part of the address. */
export function usePages<Body>(path: string | undefined, size: number): Pages<Body> {
  const page = Math.min(Math.max(1, Math.trunc(Number(useQuery().get('page'))) || 1), 1_000_000);
  const query = useChainQuery(path === undefined ? undefined : pagePath(path, page, size));
  const body = query.answer?.ok === true ? (query.answer.body as Body) : undefined;
  const { pagination } = (body ?? {}) as { pagination?: { readonly next_key?: string | null } | null };
  return { ...query, body, page, hasNext: Boolean(pagination?.next_key) };
}

/** Links to the next and previous page that keep the view options. */
export function Pager({ pages, name }: { readonly pages: Pages<unknown>; readonly name: string }) {
  const [, ...parts] = useRoute();
  const look = Object.fromEntries(useQuery());
  const { page, hasNext } = pages;
  const hrefOf = (to: number) => chainHref(parts, { ...look, page: to === 1 ? undefined : String(to) });
  return (
    <nav className="row pager" aria-label={`Pages of ${name}`}>
      {page > 1 ? (
        <a className="button tight" href={hrefOf(page - 1)}>
          ← Previous
        </a>
      ) : null}
      <span className="small quiet" aria-live="polite">
        Page {page}
      </span>
      {hasNext ? (
        <a className="button tight" href={hrefOf(page + 1)}>
          Next →
        </a>
      ) : null}
    </nav>
  );
}

/** A filter on the rows of a list; its value is in the address under `key`. */
export interface Filter<Row> {
  readonly key: string;
  readonly name: string;
  /** The possible values; without them, any text. */
  readonly choices?: readonly string[];
  readonly holds: (row: Row, wanted: string) => boolean;
}

/** The set filters, as one condition; undefined without any. */
function useCondition<Row>(filters: readonly Filter<Row>[]): ((row: Row) => boolean) | undefined {
  const query = useQuery();
  const set = filters.flatMap((filter) => {
    const wanted = query.get(filter.key);
    return wanted === null || wanted === '' ? [] : [{ filter, wanted }];
  });
  return set.length === 0 ? undefined : (row) => set.every(({ filter, wanted }) => filter.holds(row, wanted));
}

function FilterBar<Row>({ filters }: { readonly filters: readonly Filter<Row>[] }) {
  const id = useId();
  const [, ...parts] = useRoute();
  const query = useQuery();
  function set(key: string, value: string): void {
    // Replaces this view: a typed letter should not be a step in the history.
    window.location.replace(chainHref(parts, { ...Object.fromEntries(query), page: undefined, [key]: value }));
  }
  return (
    <fieldset className="filters">
      <legend className="unseen">Filters</legend>
      {filters.map(({ key, name, choices }) => (
        <div key={key} className="field">
          <label htmlFor={id + key}>{name}</label>
          {choices === undefined ? (
            <input
              id={id + key}
              value={query.get(key) ?? ''}
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => set(key, target.value)}
            />
          ) : (
            <select id={id + key} value={query.get(key) ?? ''} onChange={({ target }) => set(key, target.value)}>
              <option value="">All</option>
              {choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          )}
        </div>
      ))}
    </fieldset>
  );
}

interface ListingProps<Row> {
  /** Name of the list, in lower case. */
  readonly name: string;
  readonly path: string;
  readonly rowsOf: (body: never) => readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly columns: readonly { readonly name: string; readonly of: (row: Row) => ReactNode }[];
  readonly filters?: readonly Filter<Row>[];
}

/** The chain has no filters: this number of rows is searched at a time, the gateway's page limit. */
const LOOKED_THROUGH = 1000;
/** Shows at most this many of the filtered rows, so that the browser stays fast. */
const SHOWN = 200;

/** A list of the chain as a table with pages and filters in the address. */
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
      <Outcome query={pages}>
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
      <RawAnswer query={pages} />
    </section>
  );
}
