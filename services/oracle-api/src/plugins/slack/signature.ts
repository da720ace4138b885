import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '@mlango/crypto/equality';

/** How far the time of a request may be from ours: beyond that it may be an old one, sent again. */
const windowSeconds = 300;

export interface SignedRequest {
  /** `X-Slack-Request-Timestamp`, Unix seconds. */
  readonly timestamp: unknown;
  /** `X-Slack-Signature`. */
  readonly signature: unknown;
  /** As it came, byte for byte. */
  readonly body: Uint8Array;
}

/** Signature of version 0 of Slack's request signing: HMAC-SHA256 of `v0:<timestamp>:<body>`, in hex. */
export function slackSignature(secret: string, timestamp: string, body: Uint8Array): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;
}

/** Whether Slack has signed this request, and did so within the last five minutes. */
export function isFromSlack(secret: string, { timestamp, signature, body }: SignedRequest, now: Date): boolean {
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > windowSeconds) return false;
  return constantTimeEqual(signature, slackSignature(secret, timestamp, body));
}
