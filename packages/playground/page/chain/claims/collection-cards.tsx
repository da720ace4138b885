import { hrefOf } from '../../shell/use-route.js';
import { useAnswer } from '../asking/use-answer.js';
import { useQueryPath } from '../description/description-context.js';
import { Outcome } from '../parts/outcome.js';
import { StatusBadge } from '../parts/status-badge.js';
import type { Collection } from './claim.js';

/** What claims are handed in to, and how far each has come. */
export function CollectionCards() {
  const path = useQueryPath('ixo.claims.v1beta1.Query.CollectionList');
  const asked = useAnswer(path === undefined ? undefined : `${path}?pagination.limit=24`);
  return (
    <section className="stack" aria-labelledby="collections-heading">
      <h2 id="collections-heading">Collections</h2>
      <Outcome asked={asked}>
        {(body) => (
          <ul className="cards">
            {(body as { collections: readonly Collection[] }).collections.map((collection) => (
              <li key={collection.id} className="card stack tight-stack">
                <div className="row spread">
                  <h3>Collection {collection.id}</h3>
                  <StatusBadge status={collection.state} />
                </div>
                <p className="small">
                  For <a href={hrefOf('chain', 'entities', collection.entity)}>{collection.entity}</a>
                </p>
                <progress
                  max={Math.max(1, Number(collection.count))}
                  value={Number(collection.evaluated)}
                  aria-label={`Judged in collection ${collection.id}`}
                />
                <p className="small quiet">
                  {collection.count} claims, {collection.evaluated} judged: {collection.approved} approved,{' '}
                  {collection.rejected} rejected, {collection.disputed} disputed
                </p>
              </li>
            ))}
          </ul>
        )}
      </Outcome>
    </section>
  );
}
