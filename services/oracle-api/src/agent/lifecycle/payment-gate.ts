/** What stands between a user and an answer. */
export interface PaymentDemand {
  /** For the user. */
  readonly message: string;
  /** Ids of the claims that have to be paid. */
  readonly claims: readonly string[];
}

/** A message, and the run that will answer it. */
export interface PaidSend {
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly runId: string;
}

/**
 * Says whether a user may send a message now.
 *
 * Failure: a gate that cannot tell rejects, and the message is refused: nothing is answered for free by mistake.
 */
export interface PaymentGate {
  /** Undefined: nothing has to be paid. What the gate sets aside for the run, it sets aside before it answers. */
  demandOf(send: PaidSend): Promise<PaymentDemand | undefined>;
  /**
   * The run has ended, and the meters know what it took, or it never began: what is still set aside for it is let go. May be
   * told again, and of runs for which nothing was; it is not told of a send whose process was killed before its run was kept.
   */
  release?(runId: string): Promise<void>;
}

/** The gate of a service that asks for nothing. */
export const openGate: PaymentGate = { demandOf: async () => undefined };

export interface PaymentRequired {
  readonly kind: 'payment_required';
  readonly demand: PaymentDemand;
}

/** Begins a run where its gate lets it. What was set aside for a run that does not begin is let go. */
export async function whenPaid<Begun extends { readonly kind: string }>(
  gate: PaymentGate,
  send: PaidSend,
  begin: () => Promise<Begun>,
): Promise<Begun | PaymentRequired> {
  let hasBegun = false;
  try {
    const demand = await gate.demandOf(send);
    if (demand !== undefined) return { kind: 'payment_required', demand };
    const begun = await begin();
    hasBegun = begun.kind === 'started';
    return begun;
  } finally {
    // What cannot be let go now is tried again.
    if (!hasBegun) await gate.release?.(send.runId).catch(() => undefined);
  }
}
