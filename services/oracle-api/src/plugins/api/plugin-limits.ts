/**
 * What the tools of a plugin may take of one turn. What whoever runs the oracle sets (`PLUGIN_LIMITS`) goes before what the plugin says of
 * itself; a turn as a whole has limits of its own (`TURN_STEPS`, `TURN_SAME_CALLS`, `TURN_TIMEOUT_SECONDS`).
 */
export interface PluginLimits {
  /** Steps of a turn in which any of them is called. */
  readonly steps?: number;
  /** How often the very same call of one is made. A tool that says so itself (`sameCalls`) keeps to that, unless it is set from outside. */
  readonly sameCalls?: number;
  /** How long they may work, all calls together. */
  readonly seconds?: number;
}
