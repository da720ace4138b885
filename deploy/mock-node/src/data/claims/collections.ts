import { type Claim, EvaluationStatus } from '@mlango/proto/ixo/claims/v1beta1/claim';
import { type Collection, CollectionIntentOptions, CollectionState } from '@mlango/proto/ixo/claims/v1beta1/collection';
import { type Dispute, DisputeStatus } from '@mlango/proto/ixo/claims/v1beta1/dispute';
import { decimal, uixo } from '../amounts.js';
import { numbersOf } from '../entities/kinds.js';
import { accountOf } from '../entities/records.js';
import { entityDid } from '../identifiers.js';
import { digest, seeded } from '../seeded.js';
import { day, days, duration } from '../times.js';
import { makePayments } from './payments.js';

/** Ids of all collections; as text their order is 1, 10, 11, 12, 2, … */
export const COLLECTION_IDS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] as const;

/** Number of the entity a collection belongs to. */
export function ownerOf(collectionId: string): number {
  const projects = numbersOf('project');
  return projects[Number(collectionId) - 1] ?? projects[0];
}

/** The account intents of a collection are held in. */
export function escrowOf(collectionId: string): string {
  return accountOf(ownerOf(collectionId), 'escrow');
}

/** All collections; their counters agree with the claims and disputes given. */
export function makeCollections(claims: readonly Claim[], disputes: readonly Dispute[]): Collection[] {
  const collectionOfClaim = new Map(claims.map((claim) => [claim.claim_id, claim.collection_id]));
  return COLLECTION_IDS.map((id) => {
    const ownDisputes = disputes.filter((dispute) => collectionOfClaim.get(dispute.subject_id) === id);
    const own = claims.filter((claim) => claim.collection_id === id);
    return { ...terms(id), ...claimCounters(own), ...disputeCounters(ownDisputes) };
  });
}

type ClaimCounters = Pick<
  Collection,
  'count' | 'evaluated' | 'approved' | 'rejected' | 'disputed' | 'invalidated' | 'flagged' | 'flagged_active'
>;
type DisputeCounters = Pick<Collection, 'disputes_open' | 'disputes_awarded' | 'disputes_dismissed'>;

function claimCounters(claims: readonly Claim[]): ClaimCounters {
  const having = (status: EvaluationStatus) => claims.filter((claim) => claim.evaluation?.status === status).length;
  const flaggedBefore = claims.filter((claim) =>
    claim.evaluation_history.some((evaluation) => evaluation.status === EvaluationStatus.FLAGGED),
  ).length;
  const flaggedNow = having(EvaluationStatus.FLAGGED);
  return {
    count: String(claims.length),
    evaluated: String(claims.filter((claim) => claim.evaluation !== undefined).length),
    approved: String(having(EvaluationStatus.APPROVED)),
    rejected: String(having(EvaluationStatus.REJECTED)),
    disputed: String(having(EvaluationStatus.DISPUTED)),
    invalidated: String(having(EvaluationStatus.INVALIDATED)),
    flagged: String(flaggedBefore + flaggedNow),
    flagged_active: String(flaggedNow),
  };
}

function disputeCounters(disputes: readonly Dispute[]): DisputeCounters {
  const having = (status: DisputeStatus) => String(disputes.filter((dispute) => dispute.status === status).length);
  return {
    disputes_open: having(DisputeStatus.DISPUTE_STATUS_OPEN),
    disputes_awarded: having(DisputeStatus.DISPUTE_STATUS_AWARDED),
    disputes_dismissed: having(DisputeStatus.DISPUTE_STATUS_DISMISSED),
  };
}

function terms(id: string): Omit<Collection, keyof ClaimCounters | keyof DisputeCounters> {
  const random = seeded(`collection ${id}`);
  const owner = ownerOf(id);
  const protocols = numbersOf('protocol/claim');
  const { ALLOW, DENY, REQUIRED } = CollectionIntentOptions;
  const { OPEN, PAUSED, CLOSED } = CollectionState;
  return {
    id,
    entity: entityDid(owner),
    admin: accountOf(owner, 'admin'),
    protocol: entityDid(protocols[Number(id) - 1] ?? protocols[0]),
    start_date: day(random.int(0, 60)),
    end_date: random.chance(0.5) ? day(random.int(2_000, 4_000)) : undefined,
    quota: random.chance(0.3) ? '0' : '100000',
    state: random.pick([OPEN, OPEN, OPEN, PAUSED, CLOSED]),
    payments: makePayments(owner),
    signer: digest(`collection ${id} terms`).toString('hex'),
    escrow_account: escrowOf(id),
    intents: random.pick([ALLOW, DENY, REQUIRED]),
    service_agent_deposit_required: random.chance(0.5) ? uixo(5_000_000) : [],
    evaluator_deposit_required: random.chance(0.5) ? uixo(10_000_000) : [],
    dispute_deposit_amount: uixo(1_000_000),
    penalty_amount_per_dispute: uixo(2_000_000),
    min_deposit_period: random.chance(0.5) ? duration(days(30)) : duration(0),
    adjudicators: [{ did: entityDid(2), reward_percentage: decimal('12.5') }],
  };
}
