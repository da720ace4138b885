import { base58btc } from 'multiformats/bases/base58';
import { describe, expect, it } from 'vitest';
import { alice, bob } from '../../test/forge.js';
import { authenticationMethods, ed25519KeysOf } from './did-document.js';
import { keyOfDid } from './did-key.js';

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

  it('skips other kinds of keys and invalid entries', () => {
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

  it('returns each key once, at most eight', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      type,
      publicKeyHex: Buffer.alloc(32, index).toString('hex'),
    }));
    expect(ed25519KeysOf(many)).toHaveLength(8);
    const same = { type, publicKeyHex: hex };
    expect(ed25519KeysOf([same, { type: 'Multikey', publicKeyMultibase: bob.did.slice(8) }, same])).toHaveLength(2);
  });
});

describe('the methods for authentication', () => {
  const id = 'did:ixo:ixo1alice';
  const one = { id: `${id}#one`, type: 'Ed25519VerificationKey2020' };
  const two = { id: `${id}#two`, type: 'Ed25519VerificationKey2020' };
  const of = (authentication: unknown) =>
    authenticationMethods({
      id,
      verificationMethod: [one, two],
      ...(authentication === undefined ? {} : { authentication }),
    });

  it.each([
    ['named in full', [`${id}#two`], [two]],
    ['named from the document', ['#one'], [one]],
    ['held by the list itself', [{ id: `${id}#three` }], [{ id: `${id}#three` }]],
    ['named in JSON text', JSON.stringify(['#two']), [two]],
    ['of another document', ['did:ixo:other#one'], []],
    ['in an empty list', [], []],
    ['in no list', null, []],
    ['in a document without the member', undefined, [one, two]],
  ])('are those %s', (_, authentication, expected) => expect(of(authentication)).toEqual(expected));

  it('are found under relative names too', () => {
    const method = { id: '#one' };
    expect(authenticationMethods({ id, verificationMethod: [method], authentication: [`${id}#one`] })).toEqual([
      method,
    ]);
  });

  it.each([undefined, null, 'text', 7, []])('are none in %s', (document) => {
    expect(authenticationMethods(document)).toEqual([]);
  });
});
