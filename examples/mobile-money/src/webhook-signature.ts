import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The signature of a message, in both directions: the form of Standard Webhooks (standardwebhooks.com), with libraries in many
 * languages.
 */
export function signatureOf(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

const toleranceSeconds = 300;

/** Whether the gateway has sent this, in these minutes. */
export function isFromGateway(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): boolean {
  const read = (name: string) => String(headers[name] ?? '');
  const [id, timestamp] = [read('webhook-id'), read('webhook-timestamp')];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const right = Buffer.from(signatureOf(secret, id, timestamp, body));
  return read('webhook-signature')
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === right.length && timingSafeEqual(one, right));
}
