import { openGate, type PaymentGate } from '../../agent/admission.js';
import { returnedDemand } from './check-returned.js';

/** Several gates as one: the first demand holds. */
export function gateOf(gates: readonly PaymentGate[]): PaymentGate {
  if (gates.length === 0) return openGate;
  return {
    async demandOf(send) {
      for (const gate of gates) {
        const demand = returnedDemand(await gate.demandOf(send));
        if (demand !== undefined) return demand;
      }
      return undefined;
    },
    async release(runId) {
      const released = await Promise.allSettled(gates.map(async (gate) => gate.release?.(runId)));
      const failed = released.find((each) => each.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  };
}
