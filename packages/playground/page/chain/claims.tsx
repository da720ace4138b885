import { Facts, IdLink, StatusBadge } from './parts/facts.js';
import { type Coin, coinText, dayOf, shortId } from './parts/format.js';
import { ChainLink } from './parts/links.js';
import { Listing } from './parts/listing.js';
import { Single } from './parts/outcome.js';
import { paths } from './parts/paths.js';

interface Evaluation {
  readonly oracle: string;
  readonly agent_did: string;
  readonly status: string;
  readonly reason: number;
  readonly evaluation_date: string | null;
  readonly amount: readonly Coin[];
}

/** The fields of a claim that the views use. */
export interface Claim {
  readonly claim_id: string;
  readonly collection_id: string;
  readonly agent_did: string;
  readonly agent_address: string;
  readonly submission_date: string | null;
  readonly evaluation: Evaluation | null;
  readonly evaluation_history: readonly Evaluation[];
  readonly payments_status: Readonly<Record<'submission' | 'evaluation' | 'approval' | 'rejection', string>> | null;
  readonly amount: readonly Coin[];
  readonly use_intent: boolean;
}

export interface Collection {
  readonly id: string;
  readonly entity: string;
  readonly admin: string;
  readonly protocol: string;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly state: string;
  readonly quota: string;
  readonly count: string;
  readonly evaluated: string;
  readonly approved: string;
  readonly rejected: string;
  readonly disputed: string;
}

export interface Dispute {
  readonly subject_id: string;
  readonly target_role: string;
  readonly data: { readonly proof: string } | null;
  readonly disputer_did: string;
  readonly submitted_at: string | null;
  readonly status: string;
}

const judgements = ['PENDING', 'APPROVED', 'REJECTED', 'DISPUTED', 'INVALIDATED', 'FLAGGED'];

export function ClaimList() {
  return (
    <Listing<Claim>
      name="claims"
      path={paths.claims}
      rowsOf={({ claims }: { claims: readonly Claim[] }) => claims}
      idOf={({ claim_id: id }) => id}
      filters={[
        { key: 'status', name: 'Status', choices: judgements, holds: (claim, wanted) => statusOf(claim) === wanted },
        { key: 'collection', name: 'Collection', holds: ({ collection_id: id }, wanted) => id === wanted },
        {
          key: 'agent',
          name: 'Submitted by',
          holds: ({ agent_did: did, agent_address: address }, wanted) => did === wanted || address === wanted,
        },
      ]}
      columns={[
        {
          name: 'Claim',
          of: ({ claim_id: id }) => (
            <ChainLink to={['claims', id]} className="mono" title={id}>
              {shortId(id)}
            </ChainLink>
          ),
        },
        { name: 'Collection', of: ({ collection_id: id }) => <ChainLink to={['collections', id]}>{id}</ChainLink> },
        { name: 'Submitted', of: ({ submission_date: date }) => dayOf(date) ?? '–' },
        { name: 'Status', of: (claim) => <StatusBadge status={statusOf(claim)} /> },
        { name: 'Amount', of: ({ amount }) => amount.map(coinText).join(', ') || '–' },
      ]}
    />
  );
}

function statusOf({ evaluation }: Claim): string {
  return evaluation?.status ?? 'PENDING';
}

/** The collections that claims are submitted to, with their progress. */
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
