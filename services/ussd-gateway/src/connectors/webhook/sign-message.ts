import { constantTimeEqual } from '@mlango/crypto/equality';
import { hmacSha256 } from '@mlango/crypto/hashing';

/** A message in the form of Standard Webhooks (standardwebhooks.com): the names of its headers are those of that form. */
export type SignedHeaders = {
  readonly 'webhook-id': string;
  /** Seconds since 1970. */
  readonly 'webhook-timestamp': string;
  /** `v1,` and an HMAC-SHA-256 in base64; several of them with blanks between, where keys are being turned. */
  readonly 'webhook-signature': string;
};

/** Messages from further away than this are not taken, neither old ones nor those of the future. */
const toleranceMs = 300_000;

/** The bytes of a key that is written as `whsec_` and base64; undefined for anything else, or for one of fewer than 24 or more than 64. */
export function signingKey(secret: string): Uint8Array | undefined {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}

/** @param id the same at every try of one message. */
export function signMessage(keys: readonly Uint8Array[], id: string, nowMs: number, body: string): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => signatureOf(key, id, timestamp, body)).join(' '),
  };
}

/** Whether a message is signed with one of the keys, and of these minutes. It takes as long whichever signature is right. */
export function isSigned(
  keys: readonly Uint8Array[],
  headers: Readonly<Record<string, unknown>>,
  nowMs: number,
  body: string,
): boolean {
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name]);
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string') return false;
  if (!/^[0-9]{1,12}$/.test(timestamp) || Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs) return false;
  const signatures = given.split(' ').slice(0, 8);
  const right = keys.map((key) => signatureOf(key, id, timestamp, body));
  const found = signatures.flatMap((one) => right.map((mine) => constantTimeEqual(one, mine)));
  return found.includes(true);
}

function signatureOf(key: Uint8Array, id: string, timestamp: string, body: string): string {
  return `v1,${hmacSha256(key, `${id}.${timestamp}.${body}`).toString('base64')}`;
}
