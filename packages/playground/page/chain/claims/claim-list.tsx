import { ChainLink } from '../here/chain-link.js';
import { paths } from '../here/paths.js';
import { Listing } from '../parts/listing.js';
import { StatusBadge } from '../parts/status-badge.js';
import { coinText, dayOf, shortId } from '../parts/words.js';
import type { Claim } from './claim.js';

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
