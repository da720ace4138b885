import { type ApiKey, findApiKey } from './api-keys.js';
import { type Admission, bearerOf, type Gate, type RequestHeaders } from './gate.js';

/** Lets in whoever shows a known key, as `X-API-Key` or as a bearer. */
export function apiKeyGate(keys: readonly ApiKey[]): Gate {
  return {
    challenge: 'Bearer realm="gateway"',
    async admit(headers) {
      const shown = shownKey(headers);
      if (shown === undefined) return MISSING;
      const key = findApiKey(keys, shown);
      return key === undefined ? WRONG : { ok: true, counted: `key:${key.name}` };
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

function shownKey(headers: RequestHeaders): string | undefined {
  const own = headers['x-api-key'];
  return typeof own === 'string' && own !== '' ? own : bearerOf(headers);
}
