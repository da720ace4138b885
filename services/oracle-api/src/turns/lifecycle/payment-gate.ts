/** What stands between a user and an answer. */
export interface PaymentDemand {
  /** For the user. */
  readonly message: string;
  /** Ids of the claims that have to be paid. */
  readonly claims: readonly string[];
}

/**
 * Says whether a user may send a message now.
 *
 * Failure: a gate that cannot tell rejects, and the message is refused: nothing is answered for free by mistake.
 */
export interface PaymentGate {
  /** Undefined: nothing has to be paid. */
  demandOf(send: { readonly ownerDid: string; readonly sessionId: string }): Promise<PaymentDemand | undefined>;
}

/** The gate of a service that asks for nothing. */
export const openGate: PaymentGate = { demandOf: async () => undefined };
