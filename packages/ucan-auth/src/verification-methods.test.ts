import { base58btc } from 'multiformats/bases/base58';
import { describe, expect, it } from 'vitest';
import { alice, bob } from '../test/forge.js';
import { keyOfDid } from './did-key.js';
import { ed25519KeysOf } from './verification-methods.js';

const key = keyOfDid(alice.did) ?? new Uint8Array();
const hex = Buffer.from(key).toString('hex');
const type = 'Ed25519VerificationKey2018';

describe('ed25519KeysOf', () => {
  it.each([
    ['multibase with its multicodec', { type: 'Multikey', publicKeyMultibase: alice.did.slice(8) }],
    ['bare multibase', { type, publicKeyMultibase: base58btc.encode(key) }],
    ['multibase in hex', { type, publicKeyMultibase: `f${hex}` }],
    ['base58', { type, publicKeyBase58: base58btc.encode(key).slice(1) }],
    ['hex', { type, publicKeyHex: hex.toUpperCase() }],
    [
      'JWK',
      {
        type: 'JsonWebKey2020',
        publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') },
      },
    ],
  ])('reads a key in %s', (_, method) => {
    expect(ed25519KeysOf([method]).map((found) => Buffer.from(found).toString('hex'))).toEqual([hex]);
  });

  it('skips other kinds of keys and whatever is no method', () => {
    const others = [
      { type: 'EcdsaSecp256k1VerificationKey2019', publicKeyHex: hex },
      { type: 'CosmosAccountAddress', blockchainAccountID: 'ixo1abc' },
      { type, publicKeyHex: hex.slice(2) },
      { type, publicKeyBase58: '0OIl' },
      { type, publicKeyMultibase: 'z'.repeat(500) },
      null,
      'text',
      [],
    ];
    expect(ed25519KeysOf(others)).toEqual([]);
    expect(ed25519KeysOf('nothing')).toEqual([]);
    expect(ed25519KeysOf(undefined)).toEqual([]);
  });

  it('gives each key once, and not more than eight', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      type,
      publicKeyHex: Buffer.alloc(32, index).toString('hex'),
    }));
    expect(ed25519KeysOf(many)).toHaveLength(8);
    const same = { type, publicKeyHex: hex };
    expect(ed25519KeysOf([same, { type: 'Multikey', publicKeyMultibase: bob.did.slice(8) }, same])).toHaveLength(2);
  });
});
