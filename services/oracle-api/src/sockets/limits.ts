/** Limits of sockets in one process. */
export type RealtimeLimits = ReturnType<typeof socketLimitsFor>;

/** @param toolTimeoutMs time for a tab to answer a call */
export function socketLimitsFor(toolTimeoutMs: number) {
  return {
    /** Frames stored for recovery: time, number and size. */
    room: { recoveryMs: 120_000, storedFrames: 200, storedChars: 524_288 },
    /** Events of one socket: burst and rate. */
    events: { burst: 100, perSecond: 25 },
    rights: {
      /** Time between the expiry of a token and the closing of its socket. */
      graceMs: 60_000,
      /** Interval of the checks, and so the largest delay of a closing. */
      sweepEveryMs: 500,
      /** Interval of revocation checks without a message. */
      recheckMs: 60_000,
      /** Renewals of one socket: burst and rate. */
      renewals: { burst: 5, perSecond: 0.1 },
    },
    toolTimeoutMs,
  };
}

/** Limits of a connection. */
export const socketTimes = {
  /** Pause between two pings, in ms. */
  pingIntervalMs: 25_000,
  /** Time for the reply to a ping, in ms. */
  pingTimeoutMs: 20_000,
  /** Time for a client to authenticate, in ms. */
  authTimeoutMs: 5_000,
  /** Bytes queued for a slow client; above that the connection is closed. */
  waitingBytes: 1_048_576,
};
