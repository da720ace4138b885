import { useId } from 'react';
import { useQuery, useRoute } from '../../shell/use-route.js';
import { chainHref } from '../here/chain-href.js';

/** A question about each row of a list; its answer stands in the address under `key`. */
export interface Filter<Row> {
  readonly key: string;
  readonly name: string;
  /** What can be answered; without them, any text. */
  readonly choices?: readonly string[];
  readonly holds: (row: Row, wanted: string) => boolean;
}

/** The filters that are set, as one condition; undefined when none is. */
export function useCondition<Row>(filters: readonly Filter<Row>[]): ((row: Row) => boolean) | undefined {
  const query = useQuery();
  const set = filters.flatMap((filter) => {
    const wanted = query.get(filter.key);
    return wanted === null || wanted === '' ? [] : [{ filter, wanted }];
  });
  return set.length === 0 ? undefined : (row) => set.every(({ filter, wanted }) => filter.holds(row, wanted));
}

export function FilterBar<Row>({ filters }: { readonly filters: readonly Filter<Row>[] }) {
  const id = useId();
  const [, ...parts] = useRoute();
  const query = useQuery();
  function set(key: string, value: string): void {
    // In the place of this view: each letter of a word is no step that one wants to go back to.
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
