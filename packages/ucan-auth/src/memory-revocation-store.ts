import type { RevocationStore } from './revocation-store.js';

/** Revocations of one process, lost with it. Expired ones are dropped as new ones come. */
export function memoryRevocationStore(now: () => number = () => Math.floor(Date.now() / 1000)): RevocationStore {
  const revoked = new Map<string, { readonly expiresAt: number }>();
  const keyOf = (cid: string, issuer: string) => `${cid} ${issuer}`;
  return {
    async revoke({ cid, issuer, expiresAt }) {
      const nowSeconds = now();
      for (const [key, entry] of revoked) {
        if (entry.expiresAt <= nowSeconds) revoked.delete(key);
      }
      revoked.set(keyOf(cid, issuer), { expiresAt });
    },
    async isAnyRevoked(path) {
      const issuers = new Set(path.map((ucan) => ucan.issuer));
      return path.some(({ cid }) => [...issuers].some((issuer) => revoked.has(keyOf(cid, issuer))));
    },
  };
}
