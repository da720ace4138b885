/** A figure of what a plugin keeps for all replicas together, by its states. */
export interface PluginFigure {
  /** Follows `oracle_<plugin>_`: lower-case words joined by `_`, the unit last. */
  readonly name: string;
  /** A sentence for whoever reads the metrics. */
  readonly help: string;
  /** Asked when the metrics are, once in ten seconds at most: it has to be cheap. What it rejects with leaves the figure out. */
  readonly read: () => Promise<Readonly<Record<string, number>>>;
}
