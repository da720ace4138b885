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
    <span className="tool-card claim-card">
      <strong className="break">{claimId}</strong>
      <span className="row">
        {typeof collectionId === 'string' ? <span>Collection {collectionId}</span> : null}
        <span className="badge accent">{typeof evaluation === 'string' ? evaluation : 'PENDING'}</span>
      </span>
      <a href={hrefOf('chain', 'claims', claimId)}>Open in the explorer</a>
    </span>
  );
}
