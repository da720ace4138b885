import type { RateLimitStore } from '@mlango/service-kit/rate-limit';

export type NoticeReason = 'missing' | 'expired' | 'revoked';

const everyMs = 6 * 3_600_000;

const beginnings: Readonly<Record<NoticeReason, string>> = {
  missing: 'I may not act on your behalf with other services yet.',
  expired: 'Your authorisation for me to act on your behalf has expired.',
  revoked: 'Your authorisation for me to act on your behalf is no longer valid.',
};

/**
 * Text that explains to a user how to authorise the oracle, once in six hours per reason across turns and replicas.
 * Undefined if it was sent already or the store is unavailable, so that a notice never fails a turn.
 */
export async function authorisationNotice(
  counts: RateLimitStore,
  did: string,
  reason: NoticeReason,
): Promise<string | undefined> {
  try {
    const { count } = await counts.hit(keyOf(did, reason), everyMs);
    if (count > 1) return undefined;
    return `${beginnings[reason]} To let me, authorise this oracle in your app: it signs a new delegation and sends it to POST /delegation.`;
  } catch {
    return undefined;
  }
}

/** Resets the notices of a user after a new authorisation. Never rejects. */
export async function forgetNotices(counts: RateLimitStore, did: string): Promise<void> {
  const reasons = Object.keys(beginnings) as NoticeReason[];
  await Promise.allSettled(reasons.map((reason) => counts.forget(keyOf(did, reason), everyMs)));
}

function keyOf(did: string, reason: NoticeReason): string {
  return `delegation-notice:${reason}:${did}`;
}
