import { useContext, useDeferredValue, useId, useState } from 'react';
import { hrefOf } from '../../shell/use-route.js';
import type { OperationGroup } from '../description/description.js';
import { DescriptionContext } from '../description/description-context.js';
import { QueryForm } from './query-form.js';

/** Every query of the gateway, by module, and a form for the one that is chosen. */
export function QueryView({ id }: { readonly id: string | undefined }) {
  const groups = useContext(DescriptionContext);
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
                  <a
                    href={hrefOf('chain', 'queries', operation.id)}
                    aria-current={operation.id === id ? 'true' : undefined}
                  >
                    <span>{operation.id.slice(tag.length + 1)}</span>
                    <span className="small quiet mono break">{operation.path}</span>
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
        {found.length === 0 ? <p className="quiet">No query has these words.</p> : null}
      </section>
      <section className="stack" aria-label="Query">
        {chosen === undefined ? (
          <p className="notice">
            Choose a query. The list is what this gateway says of itself: what a node serves besides appears here by
            itself.
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
