/** What sockets may take of one process. */
export type RealtimeLimits = ReturnType<typeof socketLimitsFor>;

/** @param toolTimeoutMs how long a tab may take to answer a call */
export function socketLimitsFor(toolTimeoutMs: number) {
  return {
    /** How long a frame is kept for a client that lost its connection, and how much is. */
    room: { recoveryMs: 120_000, keptFrames: 200, keptChars: 524_288 },
    /** Events that one socket may send: at once, and on and on. */
    events: { burst: 100, perSecond: 25 },
    rights: {
      /** How long a socket stays after what it showed has expired. */
      graceMs: 60_000,
      /** Pause between two looks through the sockets: so much later than it could a socket closes. */
      sweepEveryMs: 500,
      /** After how long the revocations of a socket are asked for though nobody said anything. */
      recheckMs: 60_000,
      /** How often one socket may show something fresh. */
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
