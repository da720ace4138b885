import type { Duration } from '@mlango/proto/google/protobuf/duration';
import type { Timestamp } from '@mlango/proto/google/protobuf/timestamp';
import { GENESIS_MS } from '../chain-clock.js';
import type { Seeded } from './seeded.js';

const DAY_SECONDS = 86_400;
const GENESIS_SECONDS = GENESIS_MS / 1000;

/** A moment in seconds since the epoch and nanoseconds. */
function timestamp(seconds: number, nanos = 0): Timestamp {
  return { seconds: String(seconds), nanos };
}

/** A moment so many days after the genesis, at midnight. */
export function day(days: number): Timestamp {
  return timestamp(GENESIS_SECONDS + days * DAY_SECONDS);
}

/** A moment within some days after the genesis, with no, milli-, micro- or nanoseconds. */
export function momentBetween(random: Seeded, fromDay: number, toDay: number): Timestamp {
  const seconds = GENESIS_SECONDS + random.int(fromDay * DAY_SECONDS, toDay * DAY_SECONDS - 1);
  const unit = random.pick([0, 1_000_000, 1_000, 1]);
  return timestamp(seconds, unit === 0 ? 0 : random.int(1, 999_999_999 / unit) * unit);
}

/** A moment so much later. */
export function later(moment: Timestamp, seconds: number): Timestamp {
  return timestamp(Number(moment.seconds) + seconds, moment.nanos);
}

/** A length of time in seconds and nanoseconds. */
export function duration(seconds: number, nanos = 0): Duration {
  return { seconds: String(seconds), nanos };
}

/** Seconds in so many days. */
export function days(count: number): number {
  return count * DAY_SECONDS;
}
