/**
 * Fixed limits of one turn, in addition to `TURN_STEPS`, `TURN_SAME_CALLS` and `TURN_TIMEOUT_SECONDS`. Each comment names the enforcing
 * file.
 */
export const turnLimits = {
  /** Summary requests per turn; the next turn writes the rest (`prompt/fit-conversation`). */
  summaries: 6,
  /** Calls executed per step (`loop/repeat-guard`). */
  callsOfStep: 16,
  /** Calls read from one step; later ones are ignored (`loop/model-step`). */
  readCallsOfStep: 32,
  /** Calls of one tool with invalid arguments: the first, and one correction (`loop/repeat-guard`). */
  badCalls: 2,
  /** Refused calls after which the model gets no more tools (`loop/repeat-guard`). */
  refusals: 3,
  /** Characters of JSON in the arguments of a call (`loop/model-step`). */
  argsChars: 65_536,
  /** Object requests of one plugin to the model (`plugins/host/turn-objects`). */
  objectsOfPlugin: 10,
  /** Components stored with an answer, each limited like arguments (`prompt/emit`). */
  components: 32,
  /** Characters of JSON in a tool result (`loop/tool-calls`). */
  outputChars: 65_536,
  /** Share of the context window for the results of one step (`loop/tool-loop`). */
  resultsShare: 0.1,
  /** Characters of an answer, after which the model is stopped (`loop/model-step`). */
  answerChars: 200_000,
} as const;

/** Times of runs (`agent/turns`, `runs/lease`). */
export const runTimes = {
  /** Lease duration: a run expires after three missed renewals and is found within one more interval. */
  leaseMs: 6_000,
  renewMs: 1_500,
  /** Poll interval of a message that supersedes a run of another replica, in ms. */
  waitMs: 100,
} as const;
