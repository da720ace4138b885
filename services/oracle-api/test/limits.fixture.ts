interface AddressLimitOptions {
  readonly rateLimitPerAddress?: number;
  readonly turnsPerAddress?: number;
  readonly storageBytesPerAddress?: number;
}

/** Limits of an address in tests: unreachable unless set. */
export function addressLimits(
  { rateLimitPerAddress, turnsPerAddress = 10_000, storageBytesPerAddress = 2 ** 40 }: AddressLimitOptions,
  rateLimitMax: number,
) {
  return {
    RATE_LIMIT_MAX: rateLimitMax,
    RATE_LIMIT_PER_ADDRESS: rateLimitPerAddress,
    TURNS_PER_ADDRESS: turnsPerAddress,
    STORAGE_BYTES_PER_ADDRESS: storageBytesPerAddress,
  };
}

interface PoolOptions {
  readonly rateLimitPerAddress?: number;
  readonly socketsPerAddress?: number;
}

/** Settings of the shared pools in tests. */
export function poolSettings({ rateLimitPerAddress, socketsPerAddress = 1_000 }: PoolOptions, rateLimitMax: number) {
  return {
    http: {
      SOCKETS_PER_ADDRESS: socketsPerAddress,
      RATE_LIMIT_MAX: rateLimitMax,
      RATE_LIMIT_PER_ADDRESS: rateLimitPerAddress,
    },
    models: { LLM_CALLS_PER_USER: 4 },
    stores: { DATABASE_POOL_MAX: 10 },
  };
}

interface TurnLimitOptions {
  readonly activeTurns?: number;
  readonly onConflict?: 'interrupt' | 'enqueue';
}

/** Limits and times of turns in tests. */
export function turnLimits({ activeTurns = 100, onConflict = 'interrupt' }: TurnLimitOptions) {
  const ms = 60_000;
  const times = { turnTimeoutMs: ms, leaseMs: ms, renewMs: 20_000, waitMs: 5, retentionMs: ms, approvalMs: ms };
  return { activeTurns, onConflict, queue: { ofSession: 50, ofUser: 200 }, steps: 8, sameCalls: 2, ...times };
}
