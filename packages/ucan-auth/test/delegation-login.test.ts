import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { INVALID_TEXT, MISSING_TEXT } from '../src/http/auth-outcome.js';
import { alice, NOW, ORACLE, token } from './forge.js';

const now = () => NOW;
const ACCOUNT = 'did:ixo:ixo1oracle';
const covering = createUcanAuth({ audiences: [ORACLE, ACCOUNT], now, allowDelegationAuth: 'covering' });
const delegation = (...resources: string[]) =>
  token({ att: resources.map((resource) => ({ can: 'store/add', with: resource })), exp: NOW + 86_400 });
const login = async (text: string, invocation?: string) =>
  covering.request({
    'x-ucan-delegation': text,
    ...(invocation === undefined ? {} : { authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' }),
  });

describe('a delegation without an invocation, with `covering`', () => {
  it.each([['ixo:oracle'], ['ixo:*'], [ORACLE], [ACCOUNT], ['ixo:box', 'ixo:oracle']])(
    'logs in by %s',
    async (...resources) => {
      expect(await login(await delegation(...resources))).toMatchObject({
        ok: true,
        caller: { did: alice.did, via: 'delegation' },
      });
    },
  );

  it.each([['ixo:box'], ['ixo:oracle2'], [`${ORACLE}x`], [`${alice.did}/*`], ['ixo:oracle/*'], [`${ORACLE}/box`]])(
    'is refused with %s, with the text for missing credentials',
    async (...resources) => {
      expect(await login(await delegation(...resources))).toMatchObject({
        ok: false,
        failure: { status: 401, message: MISSING_TEXT, artifact: 'delegation', reason: 'wrong_resource' },
      });
    },
  );

  it('is accepted with an invocation, for any capability', async () => {
    const text = await delegation('ixo:box');
    expect(await login(text, await token({}))).toMatchObject({
      ok: true,
      caller: { via: 'invocation', delegation: { token: text } },
    });
    expect(await login(text, await token({ exp: NOW }))).toMatchObject({ failure: { message: INVALID_TEXT } });
  });
});
