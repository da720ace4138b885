import { ChainLink } from '../here/chain-link.js';
import { paths } from '../here/paths.js';
import { Facts } from '../parts/facts.js';
import { IdLink } from '../parts/id-link.js';
import { Listing } from '../parts/listing.js';
import { Single } from '../parts/single.js';
import { StatusBadge } from '../parts/status-badge.js';
import { dayOf } from '../parts/words.js';
import type { Collection } from './claim.js';

/** What claims are handed in to, and how far each has come. */
export function CollectionList() {
  return (
    <Listing<Collection>
      name="collections"
      path={paths.collections}
      rowsOf={({ collections }: { collections: readonly Collection[] }) => collections}
      idOf={({ id }) => id}
      filters={[
        {
          key: 'state',
          name: 'State',
          choices: ['OPEN', 'PAUSED', 'CLOSED'],
          holds: ({ state }, wanted) => state === wanted,
        },
        { key: 'entity', name: 'Entity', holds: ({ entity }, wanted) => entity === wanted },
      ]}
      columns={[
        { name: 'Collection', of: ({ id }) => <ChainLink to={['collections', id]}>Collection {id}</ChainLink> },
        { name: 'State', of: ({ state }) => <StatusBadge status={state} /> },
        { name: 'For', of: ({ entity }) => <IdLink id={entity} /> },
        { name: 'Claims', of: ({ count }) => count },
        { name: 'Evaluated', of: ({ evaluated }) => evaluated },
        { name: 'Approved', of: ({ approved }) => approved },
        { name: 'Rejected', of: ({ rejected }) => rejected },
      ]}
    />
  );
}

export function CollectionView({ id }: { readonly id: string }) {
  return (
    <Single kind="Collection" id={id} path={paths.collection(id)} list={['collections', 'collections']}>
      {({ collection }: { collection: Collection }) => <CollectionCard collection={collection} />}
    </Single>
  );
}

function CollectionCard({ collection }: { readonly collection: Collection }) {
  const { id, state, count, evaluated, approved, rejected, disputed } = collection;
  return (
    <article className="card stack">
      <div className="row">
        <h2>Collection {id}</h2>
        <StatusBadge status={state} />
      </div>
      <progress
        max={Math.max(1, Number(count))}
        value={Number(evaluated)}
        aria-label={`Evaluated in collection ${id}`}
      />
      <p className="small quiet">
        {count} claims, {evaluated} judged: {approved} approved, {rejected} rejected, {disputed} disputed
      </p>
      <Facts
        facts={[
          ['For', <IdLink key="for" id={collection.entity} />],
          ['Protocol', <IdLink key="protocol" id={collection.protocol} />],
          ['Account', <IdLink key="account" id={collection.admin} />],
          ['From', dayOf(collection.start_date)],
          ['To', dayOf(collection.end_date)],
          ['Quota', collection.quota],
        ]}
      />
      <p>
        <ChainLink to={['claims']} look={{ collection: id }}>
          Claims of this collection
        </ChainLink>
      </p>
    </article>
  );
}
