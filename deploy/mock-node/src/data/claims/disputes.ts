import type { Claim } from '@mlango/proto/ixo/claims/v1beta1/claim';
import {
  type Dispute,
  type DisputeData,
  type DisputeResolution,
  DisputeStatus,
  DisputeTargetRole,
} from '@mlango/proto/ixo/claims/v1beta1/dispute';
import type { Agent } from '../agents.js';
import { uixo } from '../amounts.js';
import { accountOf } from '../entities/records.js';
import { contentId, entityDid } from '../identifiers.js';
import { seeded } from '../seeded.js';
import { days, later } from '../times.js';

const DISPUTE_COUNT = 30;
const ADJUDICATOR = 2;

type Agents = readonly [Agent, ...Agent[]];

/** Disputes about evaluated claims. Every third claim in dispute has one for each role. */
export function makeDisputes(claims: readonly Claim[], agents: Agents): Dispute[] {
  const { DISPUTE_TARGET_ROLE_SUBMITTER: submitter, DISPUTE_TARGET_ROLE_EVALUATOR: evaluator } = DisputeTargetRole;
  return claims
    .filter((claim) => claim.evaluation !== undefined)
    .flatMap((claim, index) => {
      if (index % 3 === 0) return [makeDispute(claim, submitter, agents), makeDispute(claim, evaluator, agents)];
      return [makeDispute(claim, index % 2 === 0 ? submitter : evaluator, agents)];
    })
    .slice(0, DISPUTE_COUNT);
}

function makeDispute(claim: Claim, role: DisputeTargetRole, agents: Agents): Dispute {
  const random = seeded(`dispute ${claim.claim_id} ${role}`);
  const disputer = random.pick(agents);
  const defendant =
    role === DisputeTargetRole.DISPUTE_TARGET_ROLE_SUBMITTER
      ? claim.agent_address
      : (claim.evaluation?.agent_address ?? claim.agent_address);
  const submitted = claim.submission_date && later(claim.submission_date, days(10));
  const {
    DISPUTE_STATUS_OPEN: open,
    DISPUTE_STATUS_AWARDED: awarded,
    DISPUTE_STATUS_DISMISSED: dismissed,
  } = DisputeStatus;
  const status = random.pick([open, awarded, dismissed]);
  const [winner, loser] = status === awarded ? [disputer.address, defendant] : [defendant, disputer.address];
  return {
    subject_id: claim.claim_id,
    type: random.int(0, 3),
    data: statement(`dispute ${claim.claim_id} ${role}`),
    target_role: role,
    disputer_address: disputer.address,
    disputer_did: disputer.did,
    dispute_deposit: uixo(1_000_000),
    submitted_at: submitted,
    status,
    resolution: status === open ? undefined : settlement(claim, role, winner, loser),
  };
}

function settlement(claim: Claim, role: DisputeTargetRole, winner: string, loser: string): DisputeResolution {
  return {
    adjudicator_did: entityDid(ADJUDICATOR),
    adjudicator_address: accountOf(ADJUDICATOR, 'admin'),
    adjudicator_payout_address: accountOf(ADJUDICATOR, 'admin'),
    resolved_at: claim.submission_date && later(claim.submission_date, days(20)),
    data: statement(`resolution ${claim.claim_id} ${role}`),
    intended_penalty: uixo(2_000_000),
    actual_penalty_paid: uixo(2_000_000),
    winner_amount: uixo(1_750_000),
    adjudicator_amount: uixo(250_000),
    winner_address: winner,
    loser_address: loser,
  };
}

function statement(label: string): DisputeData {
  const proof = contentId(label);
  return { uri: `ipfs:${proof}`, type: 'application/json', proof, encrypted: false };
}
