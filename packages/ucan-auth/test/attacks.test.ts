import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { decodeToken } from '../src/decode/decode-token.js';
import { INVALID_TEXT } from '../src/http/auth-outcome.js';
import { attacksByKind } from './all-attacks.js';
import { alice, NOW, ORACLE, token } from './forge.js';
import { verifyByUcanto } from './ucanto-alone.js';

const groups = await attacksByKind();
const attacks = Object.values(groups).flat();
const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW });

describe.each(Object.entries(groups))('%s tokens', (_, group) => {
  it.each(group)('$name is refused as $code', async ({ token: hostile, code }) => {
    expect(await auth.invocation(hostile)).toEqual({ ok: false, code });
  });

  it.each(group.filter((attack) => attack.token !== ''))(
    '$name: the caller sees the fixed text only',
    async ({ token: hostile }) => {
      const refusal = { ok: false, failure: { status: 401, message: INVALID_TEXT } };
      const headers = { authorization: `Bearer ${hostile}`, 'x-auth-type': 'ucan' };
      expect(await auth.request(headers)).toMatchObject(refusal);
      expect(await auth.handshake({ invocation: hostile })).toMatchObject(refusal);
    },
  );
});

it('accepts the token that the attacks modify', async () => {
  expect(await auth.invocation(await token({}))).toMatchObject({ ok: true, result: { issuer: alice.did } });
});

it('refuses malformed tokens without checking signatures', () => {
  const early = new Set(['too_large', 'malformed', 'unsupported', 'too_complex']);
  const form = attacks.filter((attack) => early.has(attack.code));
  const late = form.filter((attack) => decodeToken(attack.token).ok).map((attack) => attack.name);
  // The count of proof paths depends on the claim, so it is checked after decoding.
  expect(late).toEqual(['proofs that fan out at every step']);
});

describe('ucanto alone', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW * 1000, toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(attacks.filter((attack) => attack.ucanto !== 'endless'))(
    '$ucanto: $name',
    async ({ token: hostile, ucanto }) => {
      expect(await verifyByUcanto(hostile)).toBe(ucanto);
    },
  );
});
