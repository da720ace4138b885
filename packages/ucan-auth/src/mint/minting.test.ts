import { createHash } from 'node:crypto';
import { Delegation } from '@ucanto/core';
import { Verifier } from '@ucanto/principal/ed25519';
import { describe, expect, it } from 'vitest';
import { alice, bob, token as forged, NOW, ORACLE, rootOf, type UcanParts, USE_ORACLE } from '../../test/forge.js';
import { verifyByUcanto } from '../../test/ucanto-alone.js';
import { createUcanAuth } from '../auth.js';
import { decodeToken } from '../decode/decode-token.js';
import {
  type InvocationOptions,
  mintDelegation,
  mintInvocation,
  signerFromMnemonic,
  signerFromSeed,
} from './minting.js';

describe('minting', () => {
  it('mints the same bytes as ucanto', async () => {
    const proof = await mintDelegation({ signer: bob, audience: alice.did, capabilities: [USE_ORACLE] });
    const token = await mintInvocation({ signer: alice, audience: ORACLE, proofs: [proof], facts: [{ seen: true }] });
    expect(await verifyByUcanto(token)).toBe('accepts');
    const extraction = await Delegation.extract(Buffer.from(token, 'base64'));
    if (extraction.error) throw extraction.error;
    const archive = await extraction.ok.archive();
    expect(Buffer.from(archive.ok ?? []).toString('base64')).toBe(token);
  });

  it.each<[string, UcanParts, Partial<InvocationOptions>]>([
    ['nothing optional', {}, {}],
    [
      'a beginning and facts',
      { nbf: NOW, fct: [{ b: 1, a: ['é', null, 0.5] }] },
      { notBefore: NOW, facts: [{ b: 1, a: ['é', null, 0.5] }] },
    ],
    ['no expiry', { exp: null }, { expiresAt: Number.POSITIVE_INFINITY }],
    [
      'caveats',
      { att: [{ can: 'a/b', with: 'x:y', nb: { z: 1, y: Buffer.from('b') } }] },
      { capability: { can: 'A/b', with: 'x:y', nb: { z: 1, y: Buffer.from('b') } } },
    ],
    ['a did:key to a did:key', { audience: bob.did }, { audience: bob.did }],
  ])('encodes the same content as ucanto, with %s', async (_, parts, options) => {
    const base = { signer: alice, audience: ORACLE, nonce: 'n', expiresAt: NOW + 300 };
    expect(await mintInvocation({ ...base, ...options })).toBe(await forged({ ...parts, nnc: 'n' }));
  });

  it('defaults to five minutes for an invocation and a week for a delegation', async () => {
    const now = () => NOW;
    const invocation = rootOf(await mintInvocation({ signer: alice, audience: ORACLE, now }));
    expect(invocation).toMatchObject({
      issuer: alice.did,
      audience: ORACLE,
      expiresAt: NOW + 300,
      capabilities: [USE_ORACLE],
    });
    const delegation = rootOf(
      await mintDelegation({ signer: alice, audience: ORACLE, capabilities: [USE_ORACLE], now }),
    );
    expect(delegation.expiresAt).toBe(NOW + 604_800);
  });

  it('never mints the same token twice', async () => {
    const options = { signer: alice, audience: ORACLE, expiresAt: NOW };
    expect(await mintInvocation(options)).not.toBe(await mintInvocation(options));
  });

  it('refuses content that a service would refuse', async () => {
    const base = { signer: alice, audience: ORACLE };
    await expect(mintInvocation({ ...base, audience: 'not-a-did' })).rejects.toThrow('not a DID');
    await expect(mintInvocation({ ...base, capability: { can: 'nothing', with: 'ixo:oracle' } })).rejects.toThrow(
      'not an ability',
    );
    await expect(mintInvocation({ ...base, capability: { can: '*', with: 'nothing' } })).rejects.toThrow(
      'not a resource',
    );
    await expect(mintInvocation({ ...base, capability: { can: '*', with: 'ucan:*' } })).rejects.toThrow('unsupported');
    await expect(mintInvocation({ ...base, proofs: ['nothing'] })).rejects.toThrow('a proof is not a token: malformed');
    await expect(mintInvocation({ ...base, facts: [{ long: 'x'.repeat(9000) }] })).rejects.toThrow('too_large');
    for (const expiresAt of [1.5, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** 60]) {
      await expect(mintInvocation({ ...base, expiresAt })).rejects.toThrow('a whole number of Unix seconds');
    }
    await expect(mintInvocation({ ...base, notBefore: Number.NaN })).rejects.toThrow('NaN');
  });

  it('includes a proof of two proofs once', async () => {
    const first = await mintDelegation({
      signer: bob,
      audience: alice.did,
      capabilities: [{ can: '*', with: 'ixo:*' }],
      expiresAt: NOW + 600,
    });
    const repeated = (nonce: string) =>
      mintDelegation({
        signer: alice,
        audience: alice.did,
        capabilities: [USE_ORACLE],
        proofs: [first],
        nonce,
        expiresAt: NOW + 600,
      });
    const token = await mintInvocation({
      signer: alice,
      audience: ORACLE,
      proofs: [await repeated('1'), await repeated('2')],
      expiresAt: NOW + 60,
    });
    const decoding = decodeToken(token);
    expect(decoding.ok && decoding.token.ucans).toHaveLength(4);
    expect((await createUcanAuth({ audiences: [ORACLE], now: () => NOW }).invocation(token)).ok).toBe(true);
  });
});

describe('signers', () => {
  it('have the same did:key as in ucanto', () => {
    expect(Verifier.parse(alice.did).did()).toBe(alice.did);
    expect(signerFromSeed(Buffer.alloc(32, 0xa1)).did).toBe(alice.did);
  });

  it('use the SHA-256 of the trimmed mnemonic as the seed', () => {
    const seed = createHash('sha256').update('legal winner thank year').digest();
    expect(signerFromMnemonic('  legal winner thank year\n').did).toBe(signerFromSeed(seed).did);
  });

  it('sign for another DID', () => {
    const signer = signerFromSeed('a1'.repeat(32), 'did:ixo:ixo1alice');
    expect([signer.did, signer.keyDid]).toEqual(['did:ixo:ixo1alice', alice.did]);
  });

  it('refuse a seed of another length', () => {
    expect(() => signerFromSeed('a1')).toThrow(RangeError);
    expect(() => signerFromSeed(new Uint8Array(31))).toThrow(RangeError);
  });
});
