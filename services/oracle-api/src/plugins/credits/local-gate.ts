import type { PluginBoot } from '../../plugin-kit/plugin.js';
import type { PaymentGate } from '../../turns/lifecycle/payment-gate.js';
import { claimsToPay } from './claims-to-pay.js';

/** Lets users through whose balance is larger than what their open claims will take from it. */
export function localGate(boot: Pick<PluginBoot, 'stores' | 'newId' | 'now'>): PaymentGate {
  return {
    async demandOf({ ownerDid }) {
      const account = await boot.stores.credits.accountOf(ownerDid);
      if (account.balance > account.owed) return undefined;
      return { message: 'Your credits are used up', claims: await claimsToPay(boot, ownerDid, account) };
    },
  };
}
