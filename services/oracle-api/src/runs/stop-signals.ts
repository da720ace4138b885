/**
 * Word among processes that runs were asked to stop, so that their writers look at once and not only when they renew
 * their leases. Word may get lost; the register is what counts.
 */
export interface StopSignals {
  /** Never rejects. */
  send(): Promise<void>;
  /** Calls back for word of any process. The result ends that. */
  listen(onSignal: () => void): () => void;
}
