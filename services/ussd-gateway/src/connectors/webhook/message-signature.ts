import { constantTimeEqual } from '@mlango/crypto/equality';
import { hmacSha256 } from '@mlango/crypto/hashing';

/** Headers of a message in the form of Standard Webhooks (standardwebhooks.com). */
export type SignedHeaders = {
  readonly 'webhook-id': string;
  /** Seconds since 1970. */
  readonly 'webhook-timestamp': string;
  /** `v1,` and an HMAC-SHA-256 in base64; several with spaces between them during key rotation. */
  readonly 'webhook-signature': string;
};

/** Older messages, and messages further in the future, are refused. */
const toleranceMs = 300_000;

/** Bytes of a key written as `whsec_` and base64; undefined for any other form, or for fewer than 24 or more than 64 bytes. */
export function signingKey(secret: string): Uint8Array | undefined {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}

/** @param id the same at every attempt of one message. */
export function signMessage(keys: readonly Uint8Array[], id: string, nowMs: number, body: string): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => signatureOf(key, id, timestamp, body)).join(' '),
  };
}

/** Whether a message is signed with one of the keys and recent. Compares signatures in constant time. */
export function isSigned(
  keys: readonly Uint8Array[],
  headers: Readonly<Record<string, unknown>>,
  nowMs: number,
  body: string,
): boolean {
  const [id, timestamp, signed] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name]);
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signed !== 'string') return false;
  if (!/^[0-9]{1,12}$/.test(timestamp) || Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs) return false;
  const signatures = signed.split(' ').slice(0, 8);
  const right = keys.map((key) => signatureOf(key, id, timestamp, body));
  const found = signatures.flatMap((one) => right.map((mine) => constantTimeEqual(one, mine)));
  return found.includes(true);
}

function signatureOf(key: Uint8Array, id: string, timestamp: string, body: string): string {
  return `v1,${hmacSha256(key, `${id}.${timestamp}.${body}`).toString('base64')}`;
}
