import { didOfKey } from '../src/dids/did-key.js';
import type { Attack } from './attack.js';
import { alice, mallory, NOW, signedFields, token } from './forge.js';

/** Invalid keys and signatures. */
export async function oddKeys(): Promise<Attack[]> {
  const fields = await signedFields({});
  const s = Buffer.from(fields['s'] as Uint8Array);
  const withSignature = (signature: Uint8Array) => token({}, (own) => ({ ...own, s: signature }));
  const flipped = Buffer.from(s);
  flipped[10] = (flipped[10] ?? 0) ^ 1;
  const withIssuer = (iss: Uint8Array) => token({}, (own) => ({ ...own, iss }));
  const point = (hex: string) => Buffer.concat([Buffer.from([0xed, 0x01]), Buffer.from(hex, 'hex')]);
  const neutral = `01${'00'.repeat(31)}`;
  const neutralSigner = {
    did: didOfKey(Buffer.from(neutral, 'hex')),
    keyDid: '',
    sign: () => Buffer.concat([Buffer.from(neutral, 'hex'), Buffer.alloc(32)]),
  };
  return [
    {
      name: 'a signature with one bit changed',
      token: await withSignature(flipped),
      code: 'bad_signature',
      ucanto: 'refuses',
    },
    {
      name: 'a signature of zeros',
      token: await withSignature(Buffer.concat([s.subarray(0, 4), Buffer.alloc(64)])),
      code: 'bad_signature',
      ucanto: 'refuses',
    },
    {
      name: 'a signature with the order added to S',
      token: await withSignature(plusOrder(s)),
      code: 'bad_signature',
      ucanto: 'throws',
    },
    { name: 'an empty signature', token: await withSignature(new Uint8Array()), code: 'malformed', ucanto: 'throws' },
    {
      name: 'a signature of no length',
      token: await withSignature(Buffer.from('eda10300', 'hex')),
      code: 'unsupported',
      ucanto: 'throws',
    },
    {
      name: 'a signature with the code of RS256',
      token: await withSignature(Buffer.concat([Buffer.from('85a4c00640', 'hex'), s.subarray(4)])),
      code: 'unsupported',
      ucanto: 'refuses',
    },
    {
      name: 'an issuer that is no point of the curve',
      token: await withIssuer(point(`02${'00'.repeat(31)}`)),
      code: 'bad_signature',
      ucanto: 'throws',
    },
    {
      name: 'an issuer key of small order, for which signatures can be forged',
      token: await token({ signer: neutralSigner }),
      code: 'bad_signature',
      ucanto: 'accepts',
    },
    {
      name: 'an issuer with a key that is too short',
      token: await withIssuer(point('02'.repeat(16))),
      code: 'unsupported',
      ucanto: 'throws',
    },
    {
      name: 'a secp256k1 issuer',
      token: await withIssuer(Buffer.concat([Buffer.from([0xe7, 0x01]), Buffer.alloc(33, 2)])),
      code: 'unsupported',
      ucanto: 'throws',
    },
    {
      name: 'an RSA issuer',
      token: await withIssuer(Buffer.concat([Buffer.from([0x85, 0x24]), Buffer.alloc(64, 2)])),
      code: 'unsupported',
      ucanto: 'throws',
    },
    {
      name: 'an issuer of another DID method',
      token: await token({ signer: { ...alice, did: 'did:web:example.com' } }),
      code: 'unknown_issuer',
      ucanto: 'refuses',
    },
    {
      name: 'another issuer',
      token: await token({ signer: { ...mallory, did: alice.did } }),
      code: 'bad_signature',
      ucanto: 'refuses',
    },
    {
      name: 'an expiry that is no integer',
      token: await token({}, (own) => ({ ...own, exp: NOW + 1.5 })),
      code: 'malformed',
      ucanto: 'throws',
    },
    {
      name: 'an expiry changed after signing',
      token: await token({}, (own) => ({ ...own, exp: NOW + 600 })),
      code: 'bad_signature',
      ucanto: 'refuses',
    },
  ];
}

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

function plusOrder(signature: Buffer): Buffer {
  const value = BigInt(`0x${Buffer.from(signature.subarray(36)).reverse().toString('hex')}`) + ORDER;
  const tail = Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([signature.subarray(0, 36), tail]);
}
