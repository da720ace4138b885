import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import type { DidResolver } from '../src/dids/did-resolver.js';
import { INVALID_TEXT, MISSING_TEXT, UNAVAILABLE_TEXT } from '../src/http/auth-outcome.js';
import { signerFromSeed } from '../src/mint/minting.js';
import { attacksByKind } from './all-attacks.js';
import { type Answer, openEndpoints, type Shown } from './endpoints.js';
import { alice, bob, NOW, token } from './forge.js';

const good = await token({});
const bad = await token({ exp: NOW - 1 });
const grant = await token({ att: [{ can: 'store/add', with: 'ixo:box' }], exp: NOW + 86_400 });
const badGrant = await token({ audience: bob.did, exp: NOW + 86_400 });
const bobsGrant = await token({ signer: bob, exp: NOW + 86_400 });
const ofAccount = await token({ signer: signerFromSeed('a1'.repeat(32), 'did:ixo:ixo1alice') });

const missing = { status: 401, message: MISSING_TEXT };
const invalid = { status: 401, message: INVALID_TEXT };
const unavailable = { status: 503, message: UNAVAILABLE_TEXT };
const byInvocation = { did: alice.did, via: 'invocation' };
const byDelegation = { did: alice.did, via: 'delegation', delegation: grant };

const indexerIsDown: DidResolver = {
  method: 'ixo',
  resolve: async () => ({ ok: false, code: 'unavailable' }),
  forget: () => {},
};
const endpoints = await openEndpoints({ resolvers: [indexerIsDown] });
const strictEndpoints = await openEndpoints({ allowDelegationAuth: false });

/** A refusal at a handshake, which has no response. */
const atHandshake = (answer: Answer): Answer => (typeof answer === 'object' && 'status' in answer ? 'dropped' : answer);

describe.each<[string, Shown, Answer]>([
  ['nothing', {}, missing],
  ['a DID that is only claimed', { did: alice.did }, missing],
  ['a good invocation', { invocation: good }, byInvocation],
  ['a good invocation and the DID of another', { invocation: good, did: bob.did }, byInvocation],
  ['a bad invocation', { invocation: bad }, invalid],
  ['an invalid invocation with a valid delegation', { invocation: bad, delegation: grant }, invalid],
  ['a good delegation', { delegation: grant }, byDelegation],
  ['a bad delegation', { delegation: badGrant }, missing],
  [
    'a good invocation and its issuer’s delegation',
    { invocation: good, delegation: grant },
    { ...byInvocation, delegation: grant },
  ],
  ['a good invocation and a delegation of another', { invocation: good, delegation: bobsGrant }, byInvocation],
  ['a good invocation and a bad delegation', { invocation: good, delegation: badGrant }, byInvocation],
  ['an invocation with an unavailable key', { invocation: ofAccount }, unavailable],
  ['a delegation with an unavailable key', { delegation: ofAccount }, unavailable],
  [
    'a valid invocation and a delegation with an unavailable key',
    { invocation: good, delegation: ofAccount },
    byInvocation,
  ],
])('%s', (_, shown, expected) => {
  it('over HTTP', async () => expect(await endpoints.http(shown)).toEqual(expected));
  it('at a handshake', async () => expect(await endpoints.handshake(shown)).toEqual(atHandshake(expected)));
});

describe('a valid delegation to a service that does not accept delegations', () => {
  const shown = { delegation: grant };
  it('over HTTP', async () => expect(await strictEndpoints.http(shown)).toEqual(missing));
  it('at a handshake', async () => expect(await strictEndpoints.handshake(shown)).toBe('dropped'));
});

describe.each(Object.entries(await attacksByKind()))('%s tokens', (_, attacks) => {
  const sendable = attacks.filter(({ token: text }) => /^[\x21-\x7e]+$/.test(text));
  it.each(sendable)('$name: over HTTP', async ({ token: invocation }) => {
    expect(await endpoints.http({ invocation, delegation: grant })).toEqual(invalid);
  });
  it.each(attacks.filter(({ token: text }) => text.trim() !== ''))(
    '$name: at a handshake',
    async ({ token: invocation }) => {
      expect(await endpoints.handshake({ invocation, delegation: grant })).toBe('dropped');
    },
  );
});

describe('a handshake', () => {
  it.each([undefined, null, 'text', 7, [], () => good, Object.create(null)])(
    'with %s is refused',
    async (handshake) => {
      const auth = createUcanAuth({ audiences: ['did:ixo:entity:oracle'] });
      expect(await auth.handshake(handshake)).toMatchObject({ ok: false, failure: { reason: 'missing' } });
    },
  );
});
