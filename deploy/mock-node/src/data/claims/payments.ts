import type { Payment, Payments } from '@mlango/proto/ixo/claims/v1beta1/payment';
import { uixo } from '../amounts.js';
import { accountOf } from '../entities/records.js';
import { address } from '../identifiers.js';
import { days, duration } from '../times.js';

/** Contract of a token of its own. */
export const CW20_CONTRACT = address('cw20', 'contract');

/** Contract of many tokens. */
export const CW1155_CONTRACT = address('cw1155', 'contract');

/** What collections of an entity pay: one form of payment at each step. */
export function makePayments(owner: number): Payments {
  const none: Payment = {
    account: accountOf(owner, 'payments'),
    amount: [],
    contract_1155_payment: undefined,
    timeout_ns: duration(0),
    cw20_payment: [],
    is_oracle_payment: false,
    cw1155_payment: [],
  };
  return {
    submission: { ...none, cw20_payment: [{ address: CW20_CONTRACT, amount: '2500' }] },
    evaluation: { ...none, amount: uixo(250_000), is_oracle_payment: true },
    approval: {
      ...none,
      amount: uixo(1_000_000),
      timeout_ns: duration(days(7), 500_000_000),
      contract_1155_payment: { address: CW1155_CONTRACT, token_id: '7', amount: 3 },
    },
    rejection: { ...none, cw1155_payment: [{ address: CW1155_CONTRACT, token_id: ['1', '2'], amount: '1' }] },
  };
}
