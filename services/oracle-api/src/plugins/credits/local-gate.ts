import type { PaymentGate } from '../../turns/lifecycle/payment-gate.js';
import { claimsToPay } from './claims-to-pay.js';
import type { CreditBoot } from './tables.js';

/** Lets users through whose balance is larger than what their open claims will take from it. */
export function localGate(boot: Pick<CreditBoot, 'own' | 'newId' | 'now'>): PaymentGate {
  return {
    async demandOf({ ownerDid }) {
      const account = await boot.own.accountOf(ownerDid);
      if (account.balance > account.owed) return undefined;
      return { message: 'Your credits are used up', claims: await claimsToPay(boot, ownerDid, account) };
    },
  };
}
