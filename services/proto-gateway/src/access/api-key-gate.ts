import { isDeepStrictEqual } from 'node:util';
import { type ApiKey, findApiKey } from './api-keys.js';
import { type Admission, bearerOf, type Gate, type RequestHeaders } from './gate.js';
import { REQUESTS } from './key-usage.js';

/**
 * Lets in whoever shows a known key, as `X-API-Key` or as a bearer.
 *
 * @param keys those there are at the moment
 * @param nowMs milliseconds since 1970
 */
export function apiKeyGate(keys: () => readonly ApiKey[], nowMs: () => number): Gate {
  return {
    challenge: 'Bearer realm="gateway"',
    async admit(headers) {
      const shown = shownKey(headers);
      if (shown === undefined) return MISSING;
      const key = findApiKey(keys(), shown);
      if (key === undefined) return WRONG;
      // Another plan ends what began under this one, which comes back under the other.
      const isListed = (): boolean =>
        keys().some((listed) => listed === key || (listed.name === key.name && isDeepStrictEqual(listed, key)));
      const hasExpired = (): boolean => nowMs() >= (key.plan?.expiresAtMs ?? Number.POSITIVE_INFINITY);
      if (hasExpired()) return EXPIRED;
      const stillHolds = (): boolean => !hasExpired() && isListed();
      return { ok: true, counted: `${REQUESTS}${key.name}`, key, stillHolds };
    },
  };
}

const MISSING: Admission = {
  ok: false,
  refusal: {
    code: 'unauthenticated',
    message: 'An API key is required: send it as X-API-Key, or as Authorization: Bearer <key>',
    reason: 'missing',
  },
};
const WRONG: Admission = {
  ok: false,
  refusal: { code: 'permission_denied', message: 'This API key is not known here', reason: 'unknown_key' },
};
const EXPIRED: Admission = {
  ok: false,
  refusal: { code: 'permission_denied', message: 'This API key has expired', reason: 'expired_key' },
};

function shownKey(headers: RequestHeaders): string | undefined {
  const own = headers['x-api-key'];
  return typeof own === 'string' && own !== '' ? own : bearerOf(headers);
}
