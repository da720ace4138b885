import { expect, it } from 'vitest';
import { isSigned, signingKey, signMessage } from './message-signature.js';

/** Example used by the test suites of Standard Webhooks libraries. */
const key = signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw') ?? Buffer.alloc(0);
const [id, atMs, body] = ['msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330_000, '{"test": 2432232314}'];
const signed = {
  'webhook-id': id,
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

it('signs according to Standard Webhooks', () => {
  expect(signMessage([key], id, atMs, body)).toEqual(signed);
  expect(isSigned([key], signed, atMs, body)).toBe(true);
});

it('accepts a signature of any of its keys, among others', () => {
  const other = Buffer.alloc(24, 1);
  const both = signMessage([other, key], id, atMs, body);
  expect(isSigned([key], both, atMs, body)).toBe(true);
  expect(isSigned([Buffer.alloc(24, 2), other], both, atMs, body)).toBe(true);
  expect(isSigned([Buffer.alloc(24, 2)], both, atMs, body)).toBe(false);
  expect(isSigned([], both, atMs, body)).toBe(false);
});

it('refuses a message more than five minutes old or new, or with another time format', () => {
  for (const [offMs, isTaken] of [
    [300_000, true],
    [-300_000, true],
    [301_000, false],
    [-301_000, false],
  ] as const) {
    expect(isSigned([key], signed, atMs + offMs, body)).toBe(isTaken);
  }
  for (const timestamp of ['', '1e9', '1614265330.0', ' 1614265330', '9'.repeat(13)]) {
    const [{ 'webhook-signature': signature }] = [signMessage([key], id, atMs, body)];
    const message = { ...signed, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    expect(isSigned([key], message, atMs, body)).toBe(false);
  }
});

it('accepts only a key of 24 to 64 bytes in base64', () => {
  const bytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`;
  for (const count of [24, 64]) expect(signingKey(bytes(count))).toHaveLength(count);
  for (const secret of [bytes(23), bytes(65), bytes(24).slice(6), '', 'whsec_', `${bytes(24)}!`]) {
    expect(signingKey(secret)).toBeUndefined();
  }
});
