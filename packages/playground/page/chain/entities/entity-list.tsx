import { ScrollBox } from '../../shell/scroll-box.js';
import { hrefOf } from '../../shell/use-route.js';
import { useQueryPath } from '../description/description-context.js';
import { FindForm } from '../parts/find-form.js';
import { Outcome } from '../parts/outcome.js';
import { Pager } from '../parts/pager.js';
import { RawAnswer } from '../parts/raw-answer.js';
import { usePages } from '../parts/use-pages.js';
import { dayOf } from '../parts/words.js';
import type { Entity } from './entity.js';

interface EntityPage {
  readonly entities: readonly Entity[];
  readonly pagination: { readonly next_key: string | null } | null;
}

export function EntityList() {
  const pages = usePages<EntityPage>(useQueryPath('ixo.entity.v1beta1.Query.EntityList'));
  return (
    <section className="stack" aria-labelledby="entities-heading" aria-busy={pages.isLoading}>
      <div className="row spread">
        <h2 id="entities-heading">Entities</h2>
        <FindForm
          label="Find an entity"
          example="did:ixo:entity:e0001"
          action="Find"
          onFind={(id) => {
            window.location.hash = hrefOf('chain', 'entities', id);
          }}
        />
      </div>
      <Outcome asked={pages}>
        {() => (
          <ScrollBox className="table-frame" label="Entities">
            <table>
              <thead>
                <tr>
                  <th scope="col">Id</th>
                  <th scope="col">Type</th>
                  <th scope="col">From</th>
                  <th scope="col">To</th>
                  <th scope="col">Verified</th>
                </tr>
              </thead>
              <tbody>
                {pages.page?.entities.map((entity) => (
                  <tr key={entity.id}>
                    <th scope="row">
                      <a className="mono" href={hrefOf('chain', 'entities', entity.id)}>
                        {entity.id}
                      </a>
                    </th>
                    <td>
                      <span className="badge accent">{entity.type}</span>
                    </td>
                    <td>{dayOf(entity.start_date) ?? '–'}</td>
                    <td>{dayOf(entity.end_date) ?? '–'}</td>
                    <td>{entity.entity_verified ? 'Yes' : 'No'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
      </Outcome>
      <Pager pages={pages} name="entities" />
      <RawAnswer asked={pages} />
    </section>
  );
}
