/** Usage of a turn, with its owner and session. */
export interface MeteredTurn {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether a part is estimated: for aborted steps, and for models that do not report usage. */
  readonly isEstimated: boolean;
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly requestId: string;
  readonly runId: string;
  /** 0 for the first part, incremented at each suspension, which reports the usage until then. */
  readonly part: number;
  readonly modelId: string;
  /** Set for a suspended turn: the deadline of the approval. */
  readonly waitsUntil?: Date;
}

/**
 * Receives the usage of each turn that requested its model, including failed and stopped turns. The usage of a killed process is an
 * estimate. Deduplicate by `runId` and `part`: a report is repeated when a process dies at the end of a turn or another meter fails.
 * Failure: a resolved report is final. A report that rejects or exceeds 5 seconds is retried by any process until it resolves. It does
 * not delay the answer or other meters.
 */
export interface UsageMeter {
  /** Whether users pay for reported usage, one credit per token. Clients then receive the charge at the end of a turn. */
  readonly charges?: boolean;
  record(turn: MeteredTurn): Promise<void> | void;
}

/** A payment that is required before an answer. */
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
 * Decides whether a user may send a message now.
 * Failure: a gate that cannot decide rejects, and the message is refused.
 */
export interface PaymentGate {
  /** Undefined: no payment is required. A hold for the run is placed before this resolves. */
  demandOf(send: PaidSend): Promise<PaymentDemand | undefined>;
  /**
   * The run has ended and its usage is reported, or it never began: the hold is released. May be called repeatedly, and for runs without a
   * hold. Not called when the process dies before the run is stored.
   */
  release?(runId: string): Promise<void>;
}
