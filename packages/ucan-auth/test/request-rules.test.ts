import { describe, expect, it } from 'vitest';
import { createUcanAuth, type RequestHeaders } from '../src/auth.js';
import type { DidResolver } from '../src/dids/did-resolver.js';
import { INVALID_TEXT, MISSING_TEXT } from '../src/http/auth-outcome.js';
import { signerFromSeed } from '../src/mint/minting.js';
import { alice, bob, NOW, ORACLE, token } from './forge.js';

const good = await token({});
const bad = await token({ exp: NOW - 1 });
const grant = await token({ att: [{ can: 'store/add', with: 'ixo:box' }], exp: NOW + 86_400 });
const badGrant = await token({ audience: bob.did, exp: NOW + 86_400 });
const bobsGrant = await token({ signer: bob, exp: NOW + 86_400 });

const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW });
const invoking = (text: string): RequestHeaders => ({ authorization: `Bearer ${text}`, 'x-auth-type': 'ucan' });
const missing = { ok: false, failure: { status: 401, message: MISSING_TEXT } };
const invalid = { ok: false, failure: { status: 401, message: INVALID_TEXT } };
const byInvocation = { ok: true, caller: { did: alice.did, via: 'invocation' } };
const byDelegation = { ok: true, caller: { did: alice.did, via: 'delegation', delegation: { token: grant } } };

describe('a request', () => {
  it.each<[string, RequestHeaders, object]>([
    ['with nothing', {}, missing],
    ['with a bearer alone', { authorization: `Bearer ${good}` }, missing],
    ['with another type of bearer', { authorization: `Bearer ${good}`, 'x-auth-type': 'UCAN' }, missing],
    ['with the type twice', { authorization: `Bearer ${good}`, 'x-auth-type': 'ucan, ucan' }, missing],
    ['with the type alone', { 'x-auth-type': 'ucan' }, missing],
    ['with an empty bearer', { authorization: 'Bearer', 'x-auth-type': 'ucan' }, missing],
    ['with basic credentials', { authorization: 'Basic YTpi', 'x-auth-type': 'ucan' }, missing],
    ['with only a DID', { 'x-did': alice.did }, missing],
    ['with a good invocation', invoking(good), byInvocation],
    ['with the scheme in small letters', { authorization: `bearer ${good}`, 'x-auth-type': 'ucan' }, byInvocation],
    ['with a good invocation and the DID of another', { ...invoking(good), 'x-did': bob.did }, byInvocation],
    ['with a bad invocation', invoking(bad), invalid],
    ['with two words for an invocation', invoking(`${good} ${good}`), invalid],
    ['with an invalid invocation and a valid delegation', { ...invoking(bad), 'x-ucan-delegation': grant }, invalid],
    ['with a good delegation alone', { 'x-ucan-delegation': grant }, byDelegation],
    [
      'with a valid delegation and an ignored bearer',
      { authorization: 'Bearer x', 'x-ucan-delegation': grant },
      byDelegation,
    ],
    ['with a bad delegation alone', { 'x-ucan-delegation': badGrant }, missing],
    ['with two delegations', { 'x-ucan-delegation': [grant, grant] }, missing],
    [
      'with both of the same user',
      { ...invoking(good), 'x-ucan-delegation': grant },
      { ok: true, caller: { via: 'invocation', delegation: { token: grant } } },
    ],
  ])('%s', async (_, headers, expected) => {
    expect(await auth.request(headers)).toMatchObject(expected);
  });

  it.each([
    ['bad', badGrant],
    ['of another issuer', bobsGrant],
  ])('with a valid invocation and a delegation that is %s has no delegation', async (_, delegation) => {
    const outcome = await auth.request({ ...invoking(good), 'x-ucan-delegation': delegation });
    expect(outcome).toMatchObject(byInvocation);
    expect(outcome.ok && outcome.caller.delegation).toBe(undefined);
  });

  it('with only a delegation is refused if the service does not accept it', async () => {
    const strict = createUcanAuth({ audiences: [ORACLE], now: () => NOW, allowDelegationAuth: false });
    expect(await strict.request({ 'x-ucan-delegation': grant })).toMatchObject(missing);
    expect(await strict.request({ ...invoking(good), 'x-ucan-delegation': grant })).toMatchObject({
      ok: true,
      caller: { delegation: { token: grant } },
    });
  });

  it('that needs an unavailable key gets 503 with Retry-After', async () => {
    const ixo: DidResolver = {
      method: 'ixo',
      resolve: async () => ({ ok: false, code: 'unavailable' }),
      forget: () => {},
    };
    const waiting = createUcanAuth({ audiences: [ORACLE], now: () => NOW, resolvers: [ixo] });
    const text = await token({ signer: signerFromSeed('a1'.repeat(32), 'did:ixo:ixo1alice') });
    for (const headers of [invoking(text), { 'x-ucan-delegation': text }]) {
      expect(await waiting.request(headers)).toMatchObject({
        ok: false,
        failure: { status: 503, headers: { 'retry-after': '2' } },
      });
    }
    expect(await waiting.request({ ...invoking(good), 'x-ucan-delegation': text })).toMatchObject(byInvocation);
  });
});

describe('a handshake', () => {
  it.each<[string, unknown, object]>([
    ['with nothing', undefined, missing],
    ['with text', 'invocation', missing],
    ['with an empty object', {}, missing],
    ['with empty texts', { invocation: '', ucanDelegation: '' }, missing],
    ['with a good invocation', { invocation: good }, byInvocation],
    ['with an invalid invocation and a valid delegation', { invocation: bad, ucanDelegation: grant }, invalid],
    ['with an invocation that is not a text', { invocation: 7, ucanDelegation: grant }, invalid],
    ['with a good delegation', { ucanDelegation: grant }, byDelegation],
    ['with a delegation that is not a text', { ucanDelegation: {} }, missing],
  ])('%s', async (_, handshake, expected) => {
    expect(await auth.handshake(handshake)).toMatchObject(expected);
  });
});
