import {
  checkExpiry,
  GRACE_SECONDS,
  REVOCATIONS_PER_ISSUER,
  type ReplayStore,
  type RevocationQuota,
  type RevocationStore,
  systemSeconds,
} from './token-stores.js';

/** Claims between two removals of expired ones. */
const CLAIMS_PER_SWEEP = 1000;

/**
 * Revocations of one process, without persistence. Each new one removes the expired ones; when the limits are reached by revocations that
 * have not expired, further ones are `full` or reject.
 */
export function memoryRevocationStore(
  now: () => number = systemSeconds,
  { perIssuer = REVOCATIONS_PER_ISSUER, inAll = 100_000 }: RevocationQuota = {},
): RevocationStore {
  const revoked = new Map<string, number>();
  const keyOf = (cid: string, issuer: string) => `${cid} ${issuer}`;
  return {
    async revoke({ cid, issuer, expiresAt }) {
      checkExpiry(expiresAt);
      const endSeconds = now() - GRACE_SECONDS;
      let ofIssuer = 0;
      for (const [key, until] of revoked) {
        if (until < endSeconds) revoked.delete(key);
        else if (key.endsWith(` ${issuer}`)) ofIssuer += 1;
      }
      const key = keyOf(cid, issuer);
      const known = revoked.get(key);
      if (known === undefined && ofIssuer >= perIssuer) return 'full';
      if (known === undefined && revoked.size >= inAll) throw new RangeError('no room for another revocation');
      revoked.set(key, Math.max(known ?? 0, expiresAt));
      return 'recorded';
    },
    async isAnyRevoked(path) {
      const issuers = new Set(path.map((ucan) => ucan.issuer));
      return path.some(({ cid }) => [...issuers].some((issuer) => revoked.has(keyOf(cid, issuer))));
    },
  };
}

/**
 * Used tokens of one process, without persistence. Expired ones are removed now and then. When `limit` of them have not expired, further
 * claims reject.
 */
export function memoryReplayStore(now: () => number = systemSeconds, limit = 100_000): ReplayStore {
  const used = new Map<string, number>();
  let claims = 0;

  function sweep(): void {
    const endSeconds = now() - GRACE_SECONDS;
    for (const [cid, expiresAt] of used) {
      if (expiresAt < endSeconds) used.delete(cid);
    }
  }

  return {
    async claim(cid, expiresAt) {
      checkExpiry(expiresAt);
      claims += 1;
      if (claims % CLAIMS_PER_SWEEP === 0) sweep();
      if (used.has(cid)) return false;
      if (used.size >= limit) throw new RangeError('no room for another used token');
      used.set(cid, expiresAt);
      return true;
    },
  };
}
