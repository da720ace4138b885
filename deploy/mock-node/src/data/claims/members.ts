import type { AgentDepositBalance, MemberBudget } from '@mlango/proto/ixo/claims/v1beta1/collection';
import type { Agent } from '../agents.js';
import { uixo } from '../amounts.js';
import { seeded } from '../seeded.js';
import { day, days, duration } from '../times.js';
import { CW20_CONTRACT } from './payments.js';

/** Collections 1 to 3 have members and deposits, collection 1 of all agents; the others have none. */
const PARTICIPANTS = new Map([
  ['1', 40],
  ['2', 15],
  ['3', 1],
]);

/** The budgets of all members of all collections. */
export function makeMemberBudgets(agents: readonly Agent[]): MemberBudget[] {
  return participations(agents).map(([collectionId, agent]) => {
    const random = seeded(`member ${collectionId} ${agent.name}`);
    return {
      collection_id: collectionId,
      member_address: agent.address,
      period: duration(days(30)),
      period_spend_limit: uixo(50_000_000),
      period_spent: uixo(random.int(0, 50_000_000)),
      period_cw20_spend_limit: [{ address: CW20_CONTRACT, amount: '18446744073709551615' }],
      period_cw20_spent: [{ address: CW20_CONTRACT, amount: String(random.int(0, 100_000)) }],
      period_reset_at: day(random.int(700, 730)),
    };
  });
}

/** The deposits of all agents with all collections. */
export function makeDeposits(agents: readonly Agent[]): AgentDepositBalance[] {
  return participations(agents).map(([collectionId, agent]) => {
    const random = seeded(`deposit ${collectionId} ${agent.name}`);
    return {
      collection_id: collectionId,
      agent_address: agent.address,
      amount: uixo(random.int(1, 10) * 1_000_000),
      withdrawable_at: random.chance(0.5) ? day(random.int(700, 730)) : undefined,
    };
  });
}

function participations(agents: readonly Agent[]): (readonly [string, Agent])[] {
  return [...PARTICIPANTS].flatMap(([id, count]) => agents.slice(0, count).map((agent) => [id, agent] as const));
}
