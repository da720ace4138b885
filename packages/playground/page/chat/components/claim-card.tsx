import { Card } from '@mlango/oracle-client/ui';
import { hrefOf } from '../../shell/route.js';

interface ClaimCardProps {
  readonly claimId?: unknown;
  readonly collectionId?: unknown;
  readonly evaluation?: unknown;
}

/** A claim that the oracle has looked up, with a way to the explorer. Shown by `render_component` as `claim_card`. */
export function ClaimCard({ claimId, collectionId, evaluation }: ClaimCardProps) {
  if (typeof claimId !== 'string') return null;
  return (
    <Card
      className="tool-card claim-card"
      title={claimId}
      badge={typeof evaluation === 'string' ? evaluation : 'PENDING'}
      actions={<a href={hrefOf('chain', 'claims', claimId)}>Open in the explorer</a>}
    >
      {typeof collectionId === 'string' ? `Collection ${collectionId}` : null}
    </Card>
  );
}
