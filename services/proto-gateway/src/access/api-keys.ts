import { createHash, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { tokenWeakness } from '@mlango/service-kit/secrets';
import { type Admission, bearerOf, type Gate, type RequestHeaders } from './gate.js';
import type { ApiKey } from './key-plan.js';
import { REQUESTS } from './key-usage.js';

const ENTRY = /^([A-Za-z0-9._-]{1,64}):([0-9a-f]{64})$/i;

/**
 * Parses `name:sha256hex` entries, separated by commas or line breaks; lines that start with `#` are comments. The problem
 * names the position of an entry and never repeats it: it may be an unhashed key.
 */
export function parseApiKeys(text: string): { readonly keys: readonly ApiKey[] } | { readonly problem: string } {
  const entries = text
    .split('\n')
    .filter((line) => !line.trim().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const keys: ApiKey[] = [];
  for (const [index, entry] of entries.entries()) {
    const [, name, hex] = ENTRY.exec(entry) ?? [];
    if (name === undefined || hex === undefined) return { problem: `entry ${index + 1} is not name:sha256hex` };
    const digest = Buffer.from(hex, 'hex');
    if (keys.some((key) => key.name === name || timingSafeEqual(key.digest, digest))) {
      return { problem: `entry ${index + 1} repeats a name or a key` };
    }
    keys.push({ name, digest });
  }
  return { keys };
}

/** Why an entry is not a plausible hash of a key. The keys themselves are unknown here. */
export function apiKeysWeakness(text: string): string | undefined {
  const parsed = parseApiKeys(text);
  return 'problem' in parsed ? undefined : digestsWeakness(parsed.keys);
}

/** As `apiKeysWeakness`, for keys that are read. */
export function digestsWeakness(keys: readonly ApiKey[]): string | undefined {
  for (const [index, { digest }] of keys.entries()) {
    if (timingSafeEqual(digest, digestOf(''))) return `entry ${index + 1} is the hash of nothing`;
    const weakness = tokenWeakness(Buffer.from(digest).toString('hex'));
    if (weakness !== undefined) return `the hash of entry ${index + 1} ${weakness}`;
  }
  return undefined;
}

/** Finds the entry of a presented key. The duration is independent of the known keys. */
export function findApiKey(keys: readonly ApiKey[], shown: string): ApiKey | undefined {
  const digest = digestOf(shown);
  let found: ApiKey | undefined;
  for (const key of keys) if (timingSafeEqual(key.digest, digest)) found = key;
  return found;
}

/** `name:sha256hex`, the form of the configuration. */
export function apiKeyEntry(name: string, key: string): string {
  return `${name}:${digestOf(key).toString('hex')}`;
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/**
 * Admits callers that present a known key, as `X-API-Key` or as a bearer token.
 *
 * @param keys the current keys
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
      // A changed plan ends watches that began under the old one; clients reconnect under the new one.
      const isListed = (): boolean =>
        keys().some((listed) => listed === key || (listed.name === key.name && isDeepStrictEqual(listed, key)));
      const hasExpired = (): boolean => nowMs() >= (key.plan?.expiresAtMs ?? Number.POSITIVE_INFINITY);
      if (hasExpired()) return EXPIRED;
      const isAuthorised = (): boolean => !hasExpired() && isListed();
      return { ok: true, rateLimitKey: `${REQUESTS}${key.name}`, key, isAuthorised };
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
