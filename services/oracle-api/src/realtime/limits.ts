import type { RealtimeLimits } from './realtime.js';

/** What sockets may take of one process. */
export function realtimeLimits(toolTimeoutMs: number): RealtimeLimits {
  return {
    room: { recoveryMs: 120_000, keptFrames: 200, keptChars: 524_288 },
    seats: { perUser: 50, total: 10_000 },
    events: { burst: 100, perSecond: 25 },
    rights: { graceMs: 60_000, sweepEveryMs: 500, recheckMs: 60_000, renewals: { burst: 5, perSecond: 0.1 } },
    toolTimeoutMs,
  };
}
