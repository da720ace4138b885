/** Replicas' clocks differ: what one has forgotten, another may still take for good. */
export const GRACE_SECONDS = 60;

/**
 * How long a record about a token is kept, in whole seconds and at least one; undefined: for good, as the token never
 * expires.
 * @throws RangeError when the expiry is no time
 */
export function secondsLeft(expiresAt: number, now: () => number = systemSeconds): number | undefined {
  if (Number.isNaN(expiresAt)) throw new RangeError('an expiry is a time in Unix seconds, or Infinity');
  if (expiresAt === Number.POSITIVE_INFINITY) return undefined;
  return Math.max(1, Math.ceil(expiresAt - now()) + GRACE_SECONDS);
}

export function systemSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
