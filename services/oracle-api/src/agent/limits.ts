/** What one turn may take beside what is set (`TURN_STEPS`, `TURN_SAME_CALLS`, `TURN_TIMEOUT_SECONDS`). Each rule is where it says. */
export const turnLimits = {
  /** Requests for a summary of what a model cannot be shown; what they do not cover is for the next turn (`context/read-conversation`). */
  summaries: 6,
  /** Calls made in one step (`loop/call-guard`). */
  callsOfStep: 16,
  /** Calls of one step beyond these are not even listened to (`loop/ask-model`). */
  heardCallsOfStep: 32,
  /** How often a tool may be called with arguments that do not fit: once, and once more with what was wrong (`loop/call-guard`). */
  badCalls: 2,
  /** Calls refused for one of the last two after which the model gets no more tools (`loop/call-guard`). */
  refusals: 3,
  /** Characters of JSON that the arguments of a call may have (`loop/ask-model`). */
  argsChars: 65_536,
  /** Objects that one plugin asks the model for (`plugin-host/turn-objects`). */
  objectsOfPlugin: 10,
  /** Components that are kept with an answer, each of no more characters than arguments (`context/shown-components`). */
  components: 32,
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
  /** How often a message that takes the place of a run elsewhere looks whether that has ended. */
  waitMs: 100,
} as const;
