/** What of a call has been found at other replicas. */
export interface FoundElsewhere {
  /** What is kept, or was handed to those who waited; unread. */
  readonly value: Buffer | undefined;
  /** Who asks the node is still at it. */
  readonly isAsking: boolean;
}

/**
 * Where replicas keep replies for one another. All rejects where it cannot be reached, and nothing takes long then.
 *
 * `key` says the call whole, the chain and the descriptors included. What is kept is kept for a time, and within a number of
 * bytes, the oldest going first.
 */
export interface ReplyStore {
  find(key: string): Promise<Buffer | undefined>;
  /** Keeps a value that is the same whoever asks for it; one that is there already stays. */
  keep(key: string, value: Buffer): Promise<void>;
  /** Takes the call on, for `ttlMs` at most: whose token comes back asks the node, and others wait for that one. */
  takeOn(key: string, token: string, ttlMs: number): Promise<string>;
  /** Somebody waits for whoever has taken it on. */
  isWaitedFor(key: string): Promise<boolean>;
  /** It is done with. */
  letGo(key: string, token: string): Promise<void>;
  /** Leaves a value, for a moment, to those who wait. */
  handOver(key: string, token: string, value: Buffer): Promise<void>;
  /** What those who wait for `token` look for. */
  look(key: string, token: string): Promise<FoundElsewhere>;
}
