import type { Claim } from '@mlango/proto/ixo/claims/v1beta1/claim';
import { type Intent, IntentStatus } from '@mlango/proto/ixo/claims/v1beta1/intent';
import type { Agent } from '../agents.js';
import { uixo } from '../amounts.js';
import { accountOf } from '../entities/records.js';
import { seeded } from '../seeded.js';
import { days, later, momentBetween } from '../times.js';
import { COLLECTION_IDS, escrowOf, ownerOf } from './collections.js';
import { CW20_CONTRACT, CW1155_CONTRACT } from './payments.js';

const LOOSE_INTENT_COUNT = 60;

/** Intents: one for each claim that used one, and some that wait for their claim or lapsed. */
export function makeIntents(claims: readonly Claim[], agents: readonly [Agent, ...Agent[]]): Intent[] {
  const fulfilled = claims.filter((claim) => claim.use_intent).map(intentOfClaim);
  const loose = Array.from({ length: LOOSE_INTENT_COUNT }, (_, index) => {
    const id = fulfilled.length + index + 1;
    const random = seeded(`intent ${id}`);
    const agent = random.pick(agents);
    const created = momentBetween(random, 690, 700);
    return {
      ...terms(String(id), random.pick(COLLECTION_IDS)),
      agent_did: agent.did,
      agent_address: agent.address,
      claim_id: '',
      created_at: created,
      expire_at: later(created, days(14)),
      status: random.pick([IntentStatus.ACTIVE, IntentStatus.EXPIRED]),
    };
  });
  return [...fulfilled, ...loose];
}

function intentOfClaim(claim: Claim, index: number): Intent {
  const submitted = claim.submission_date;
  return {
    ...terms(String(index + 1), claim.collection_id),
    agent_did: claim.agent_did,
    agent_address: claim.agent_address,
    claim_id: claim.claim_id,
    created_at: submitted && later(submitted, -days(2)),
    expire_at: submitted && later(submitted, days(12)),
    status: IntentStatus.FULFILLED,
    member_address: claim.member_address,
  };
}

type Parties = 'agent_did' | 'agent_address' | 'claim_id' | 'created_at' | 'expire_at' | 'status';

function terms(id: string, collectionId: string): Omit<Intent, Parties> {
  return {
    id,
    collection_id: collectionId,
    amount: uixo(1_000_000),
    cw20_payment: [{ address: CW20_CONTRACT, amount: '2500' }],
    from_address: accountOf(ownerOf(collectionId), 'payments'),
    escrow_address: escrowOf(collectionId),
    cw1155_payment: [{ address: CW1155_CONTRACT, token_id: [], amount: '3' }],
    cw1155_intent_payment: [{ address: CW1155_CONTRACT, tokens: [{ token_id: '1', amount: '3' }] }],
    member_address: '',
  };
}
