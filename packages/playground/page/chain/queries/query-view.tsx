import { useDeferredValue, useId, useMemo, useState } from 'react';
import { ChainLink } from '../parts/links.js';
import { Outcome } from '../parts/outcome.js';
import { paths } from '../parts/paths.js';
import { useChainQuery } from '../parts/requests.js';
import { type OperationGroup, readDescription } from './description.js';
import { QueryForm } from './query-form.js';

/** Every query of the gateway, by module, and a form for the selected one, from the gateway's own description. */
export function QueryView({ id }: { readonly id: string | undefined }) {
  const query = useChainQuery(paths.description);
  const body = query.answer?.ok === true ? query.answer.body : undefined;
  const groups = useMemo(() => readDescription(body), [body]);
  return <Outcome query={query}>{() => <Queries groups={groups} id={id} />}</Outcome>;
}

interface QueriesProps {
  readonly groups: readonly OperationGroup[];
  readonly id: string | undefined;
}

function Queries({ groups, id }: QueriesProps) {
  const [wanted, setWanted] = useState('');
  const filter = useDeferredValue(wanted.trim().toLowerCase());
  const field = useId();
  const all = groups.flatMap(({ operations }) => operations);
  const chosen = all.find((operation) => operation.id === id);
  const found = matching(groups, filter);
  return (
    <div className="query-view">
      <section className="stack query-list" aria-label="Queries">
        <div className="field">
          <label htmlFor={field}>Filter {all.length} queries</label>
          <input
            id={field}
            type="search"
            placeholder="claims, price, owner…"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
        </div>
        {found.map(({ tag, name, description, operations }) => (
          <details key={tag} open={filter !== '' || operations.some((operation) => operation.id === id)}>
            <summary>
              <strong>{name}</strong> <span className="quiet small">{operations.length}</span>
            </summary>
            <p className="small quiet">{description}</p>
            <ul>
              {operations.map((operation) => (
                <li key={operation.id}>
                  <ChainLink to={['queries', operation.id]} isHere={operation.id === id}>
                    <span>{operation.id.slice(tag.length + 1)}</span>
                    <span className="small quiet mono break">{operation.path}</span>
                  </ChainLink>
                </li>
              ))}
            </ul>
          </details>
        ))}
        {found.length === 0 ? <p className="quiet">No matching queries</p> : null}
      </section>
      <section className="stack" aria-label="Query">
        {chosen === undefined ? (
          <p className="notice">
            Choose a query. The list comes from the gateway's own description, with everything that its node serves.
          </p>
        ) : (
          <QueryForm key={chosen.id} operation={chosen} />
        )}
      </section>
    </div>
  );
}

function matching(groups: readonly OperationGroup[], filter: string): OperationGroup[] {
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ id, path, summary }) =>
        `${id} ${path} ${summary}`.toLowerCase().includes(filter),
      ),
    }))
    .filter(({ operations }) => operations.length > 0);
}
