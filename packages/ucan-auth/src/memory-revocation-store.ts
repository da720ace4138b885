import { REVOCATIONS_PER_ISSUER, type RevocationQuota } from './revocation-quota.js';
import type { RevocationStore } from './revocation-store.js';
import { GRACE_SECONDS, systemSeconds } from './store-times.js';

/**
 * Revocations of one process, lost with it. Expired ones are dropped as new ones come; when as many as may be kept have not
 * expired, further ones reject.
 */
export function memoryRevocationStore(
  now: () => number = systemSeconds,
  { perIssuer = REVOCATIONS_PER_ISSUER, inAll = 100_000 }: RevocationQuota = {},
): RevocationStore {
  const revoked = new Map<string, number>();
  const keyOf = (cid: string, issuer: string) => `${cid} ${issuer}`;
  return {
    async revoke({ cid, issuer, expiresAt }) {
      if (Number.isNaN(expiresAt)) throw new RangeError('an expiry is a time in Unix seconds, or Infinity');
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
