import type { PaymentGate } from './payment-gate.js';

/** What is remembered at most; older ones run out by themselves, as each hold does. */
const mostRemembered = 10_000;

/** A gate that remembers what it could not let go. */
export interface LettingGate extends PaymentGate {
  release(runId: string): Promise<void>;
  /** Lets go of what could not be let go before. Rejects as soon as that fails again; the rest is kept for the next time. */
  releaseAgain(): Promise<void>;
}

/** Has a gate try again later what it could not let go at once, which would else be held from its user until it runs out. */
export function lettingGo(gate: PaymentGate): LettingGate {
  const left = new Set<string>();
  const release = async (runId: string) => {
    await gate.release?.(runId);
    left.delete(runId);
  };
  return {
    demandOf: (send) => gate.demandOf(send),
    async release(runId) {
      try {
        await release(runId);
      } catch (error) {
        if (left.size < mostRemembered) left.add(runId);
        throw error;
      }
    },
    async releaseAgain() {
      for (const runId of [...left]) await release(runId);
    },
  };
}
