import { type Claim, type Evaluation, EvaluationStatus } from '@mlango/proto/ixo/claims/v1beta1/claim';
import { PaymentStatus } from '@mlango/proto/ixo/claims/v1beta1/payment';
import type { Agent } from '../agents.js';
import { uixo } from '../amounts.js';
import { numbersOf } from '../entities/kinds.js';
import { contentId, entityDid } from '../identifiers.js';
import { type Seeded, seeded } from '../seeded.js';
import { days, later, momentBetween } from '../times.js';
import { COLLECTION_IDS } from './collections.js';
import { CW20_CONTRACT, CW1155_CONTRACT } from './payments.js';

export const CLAIM_COUNT = 1_000;

type Agents = readonly [Agent, ...Agent[]];

/** All claims of all collections. */
export function makeClaims(agents: Agents): Claim[] {
  return Array.from({ length: CLAIM_COUNT }, (_, index) => makeClaim(index + 1, agents));
}

function makeClaim(number: number, agents: Agents): Claim {
  const random = seeded(`claim ${number}`);
  const agent = random.pick(agents);
  const bare: Claim = {
    collection_id: random.pick(COLLECTION_IDS),
    agent_did: agent.did,
    agent_address: agent.address,
    submission_date: momentBetween(random, 120, 700),
    claim_id: contentId(`claim ${number}`),
    evaluation: undefined,
    payments_status: undefined,
    use_intent: random.chance(0.3),
    amount: random.chance(0.2) ? uixo(random.int(1, 5_000_000)) : [],
    cw20_payment: random.chance(0.1) ? [{ address: CW20_CONTRACT, amount: String(random.int(1, 9_000)) }] : [],
    cw1155_payment: random.chance(0.1) ? [{ address: CW1155_CONTRACT, token_id: ['1', '2'], amount: '4' }] : [],
    cw1155_intent_payment: [],
    member_address: random.chance(0.1) ? random.pick(agents).address : '',
    evaluation_history: [],
  };
  const history = random.chance(0.08) ? [makeEvaluation(bare, random, agents, EvaluationStatus.FLAGGED, 1)] : [];
  const outcome = drawOutcome(random, history.length > 0);
  const evaluation = outcome === undefined ? undefined : makeEvaluation(bare, random, agents, outcome, 5);
  return { ...bare, evaluation, evaluation_history: history, payments_status: paymentsStatus(outcome) };
}

/** A claim that was flagged once has been evaluated again since. */
function drawOutcome(random: Seeded, flaggedBefore: boolean): EvaluationStatus | undefined {
  const { APPROVED, REJECTED, DISPUTED, INVALIDATED, FLAGGED } = EvaluationStatus;
  if (flaggedBefore) return random.pick([APPROVED, APPROVED, REJECTED]);
  const draw = random.int(1, 100);
  if (draw <= 25) return undefined;
  if (draw <= 75) return APPROVED;
  if (draw <= 90) return REJECTED;
  return random.pick([DISPUTED, INVALIDATED, FLAGGED]);
}

function makeEvaluation(
  claim: Claim,
  random: Seeded,
  agents: Agents,
  status: EvaluationStatus,
  fromDays: number,
): Evaluation {
  const agent = random.pick(agents);
  const submitted = claim.submission_date;
  return {
    claim_id: claim.claim_id,
    collection_id: claim.collection_id,
    oracle: entityDid(random.pick(numbersOf('oracle'))),
    agent_did: agent.did,
    agent_address: agent.address,
    status,
    reason: status === EvaluationStatus.APPROVED ? 0 : random.int(1, 9),
    verification_proof: contentId(`proof ${claim.claim_id} ${fromDays}`),
    evaluation_date: submitted && later(submitted, days(fromDays) + random.int(0, days(2))),
    amount: random.chance(0.1) ? uixo(random.int(1, 1_000_000)) : [],
    cw20_payment: [],
    cw1155_payment: [],
    cw1155_intent_payment: random.chance(0.05)
      ? [{ address: CW1155_CONTRACT, tokens: [{ token_id: '1', amount: '2' }] }]
      : [],
  };
}

function paymentsStatus(outcome: EvaluationStatus | undefined): Claim['payments_status'] {
  const { NO_PAYMENT, PROMISED, AUTHORIZED, PAID, DISPUTED_PAYMENT } = PaymentStatus;
  const none = { submission: PAID, evaluation: PROMISED, approval: NO_PAYMENT, rejection: NO_PAYMENT };
  switch (outcome) {
    case EvaluationStatus.APPROVED:
      return { ...none, evaluation: PAID, approval: AUTHORIZED };
    case EvaluationStatus.REJECTED:
      return { ...none, evaluation: PAID, rejection: AUTHORIZED };
    case EvaluationStatus.DISPUTED:
      return { ...none, evaluation: PAID, approval: DISPUTED_PAYMENT };
    default:
      return none;
  }
}
