/** What one turn may take. Each rule is where it says; there is no variable for any of them. */
export const turnLimits = {
  /** Longest time of a turn, from when it may run (`lifecycle/turns`). */
  turnTimeoutMs: 5 * 60_000,
  /** Requests for a summary of what a model cannot be shown; what they do not cover is for the next turn (`context/read-conversation`). */
  summaries: 6,
  /** How often the model is asked with tools at hand; after that it has to answer with what it has (`loop/tool-loop`). */
  steps: 8,
  /** Calls made in one step (`loop/call-guard`). */
  callsOfStep: 16,
  /** Calls of one step beyond these are not even listened to (`loop/ask-model`). */
  heardCallsOfStep: 32,
  /** How often the very same call is made (`loop/call-guard`). */
  sameCalls: 2,
  /** How often a tool may be called with arguments that do not fit: once, and once more with what was wrong (`loop/call-guard`). */
  badCalls: 2,
  /** Calls refused for one of the last two after which the model gets no more tools (`loop/call-guard`). */
  refusals: 3,
  /** Characters of JSON that the arguments of a call may have (`loop/ask-model`). */
  argsChars: 65_536,
  /** Characters of JSON that a tool may give back (`loop/call-tool`). */
  outputChars: 65_536,
  /** Of a model's window: what the results of one step may take of it (`loop/tool-loop`). */
  resultsShare: 0.1,
  /** Characters after which a model is no longer listened to (`loop/ask-model`). */
  answerChars: 200_000,
} as const;

/** What the turns of one process share (`lifecycle/turns`, `lifecycle/run-keeper`). */
export const processLimits = {
  /** Turns at one time, those that wait included. */
  activeTurns: 2_000,
  /** A run is given up three missed renewals after its process died, and found within one more. */
  leaseMs: 6_000,
  renewMs: 1_500,
  /** How often a turn that waits for another looks whether that has ended. */
  waitMs: 100,
} as const;
