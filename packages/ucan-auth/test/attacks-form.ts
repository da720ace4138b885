import { createHash } from 'node:crypto';
import { CBOR, UCAN } from '@ucanto/core';
import type { Attack } from './attack.js';
import {
  alice,
  base64,
  blockOf,
  bob,
  carOf,
  cidOf,
  cidV0Of,
  descriptorOf,
  type Fields,
  ORACLE,
  sectionOf,
  signedFields,
  token,
  tokenOf,
  USE_ORACLE,
  ucanBlock,
  varint,
} from './forge.js';

/** Validly signed content in another encoding: each would have a second CID, which revocations do not name. */
export async function respelled(): Promise<Attack[]> {
  const fields = await signedFields({});
  const canonical = Buffer.from(CBOR.encode(fields));
  const with_ = (extra: Fields) => token({}, (own) => ({ ...own, ...extra }));
  const raw = (bytes: Uint8Array) => tokenOf(blockOf(bytes));
  const replaced = (from: string, to: string) => {
    const hex = canonical.toString('hex');
    if (!hex.includes(from)) throw new Error(`no ${from} in the block`);
    return Buffer.from(hex.replace(from, to), 'hex');
  };
  const signature = fields['s'] as Uint8Array;
  const longDid = (did: string) => Buffer.concat([Buffer.from([0x9d, 0x1a]), Buffer.from(did.slice(4))]);
  const jwt = Buffer.from(UCAN.format(UCAN.decode(canonical)));
  const upper = await token({}, (own) => ({ ...own, att: [{ can: 'STORE/ADD', with: 'ixo:oracle' }] }));
  return [
    { name: 'an extra field after signing', token: await with_({ zzz: 1 }), code: 'malformed', ucanto: 'accepts' },
    { name: 'an empty list of facts', token: await with_({ fct: [] }), code: 'malformed', ucanto: 'accepts' },
    { name: 'an empty nonce', token: await with_({ nnc: '' }), code: 'malformed', ucanto: 'accepts' },
    { name: 'a beginning at 0', token: await with_({ nbf: 0 }), code: 'malformed', ucanto: 'accepts' },
    {
      name: 'bytes after the signature',
      token: await with_({ s: Buffer.concat([signature, Buffer.from('more')]) }),
      code: 'unsupported',
      ucanto: 'accepts',
    },
    {
      name: 'no list of proofs',
      token: await token({}, withoutProofs),
      code: 'malformed',
      ucanto: 'accepts',
    },
    {
      name: 'another field in place of the list of proofs',
      token: await token({}, (own) => ({ ...withoutProofs(own), zzz: 1 })),
      code: 'malformed',
      ucanto: 'accepts',
    },
    ...(await Promise.all(
      [{ nbf: 0 }, { nnc: '' }, { fct: [] }].map(async (empty): Promise<Attack> => {
        const name = `an empty ${Object.keys(empty).join('')} in place of the list of proofs`;
        return {
          name,
          token: await token({}, (own) => ({ ...withoutProofs(own), ...empty })),
          code: 'malformed',
          ucanto: 'accepts',
        };
      }),
    )),
    {
      name: 'a link in a fact, its CID with idle bytes',
      token: await cidWithIdleBytes(),
      code: 'malformed',
      ucanto: 'accepts',
    },
    { name: 'an ability in upper case', token: upper, code: 'malformed', ucanto: 'refuses' },
    {
      name: 'keys in another order',
      token: raw(
        Buffer.concat([
          Buffer.from([0xa7]),
          ...Object.entries(fields)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([key, value]) => Buffer.concat([CBOR.encode(key), CBOR.encode(value)])),
        ]),
      ),
      code: 'malformed',
      ucanto: 'accepts',
    },
    {
      name: 'the issuer as text',
      token: await with_({ iss: longDid(alice.did) }),
      code: 'malformed',
      ucanto: 'accepts',
    },
    {
      name: 'an audience with a byte order mark',
      token: await with_({
        aud: Buffer.concat([Buffer.from([0x9d, 0x1a, 0xef, 0xbb, 0xbf]), Buffer.from(ORACLE.slice(4))]),
      }),
      code: 'malformed',
      ucanto: 'accepts',
    },
    { name: 'the JWT itself as the block', token: raw(jwt), code: 'malformed', ucanto: 'accepts' },
    { name: 'a map key written long', token: raw(replaced('6176', '780176')), code: 'malformed', ucanto: 'throws' },
    {
      name: 'text with a byte order mark',
      token: raw(replaced('6a69786f3a6f7261636c65', '6defbbbf69786f3a6f7261636c65')),
      code: 'malformed',
      ucanto: 'accepts',
    },
    {
      name: 'an expiry as a float',
      token: raw(replaced('1a6b49d32c', 'fb41dad274cb00000000'.slice(0, 18))),
      code: 'malformed',
      ucanto: 'accepts',
    },
    {
      name: 'a link in a fact, written as a map',
      token: await token({ fct: [{ see: cidOf(canonical) }] }, (own) => ({
        ...own,
        fct: [{ see: { '/': cidOf(canonical).toString() } }],
      })),
      code: 'malformed',
      ucanto: 'accepts',
    },
    {
      name: 'an integer beyond 2^53 in a fact, written as a float',
      token: await token({ fct: [{ n: 9_223_372_036_854_776_000n }] }, (own) => ({
        ...own,
        fct: [{ n: 9_223_372_036_854_776_000 }],
      })),
      code: 'malformed',
      ucanto: 'refuses',
    },
  ];
}

function withoutProofs(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'prf'));
}

/** A CIDv1 with version 0: decoded as another CID, and signed as that. */
async function cidWithIdleBytes(): Promise<string> {
  const cid = cidOf(Buffer.from('something'));
  const honest = Buffer.from(CBOR.encode(await signedFields({ fct: [{ see: cidV0Of(cid.bytes) }] })));
  const short = Buffer.concat([Buffer.from('d82a582300', 'hex'), cid.bytes.subarray(2)]);
  const long = Buffer.concat([Buffer.from('d82a58250000', 'hex'), Buffer.from([0x71]), cid.bytes.subarray(2)]);
  const at = honest.indexOf(short);
  if (at < 0) throw new Error('no CIDv0 in the block');
  return tokenOf(blockOf(Buffer.concat([honest.subarray(0, at), long, honest.subarray(at + short.length)])));
}

/** Tokens with an ambiguous or mismatching archive. */
export async function repacked(): Promise<Attack[]> {
  const root = await ucanBlock({});
  const other = await ucanBlock({ signer: bob });
  const descriptor = descriptorOf(root);
  const good = carOf([root, descriptor], [descriptor]);
  const goodText = base64(good);
  const label = cidOf(Buffer.from('another label'));
  const relabelled = { cid: label, bytes: root.bytes };
  const identity = { cid: cidOf(Buffer.from('short'), { hash: 0 }), bytes: Buffer.from('short') };
  const sha512 = { cid: cidOf(root.bytes, { hash: 0x13 }), bytes: root.bytes };
  const rawCid = { cid: cidOf(root.bytes, { codec: 0x55 }), bytes: root.bytes };
  const longSection = Buffer.concat([varint(root.cid.bytes.length + root.bytes.length, 1), root.cid.bytes, root.bytes]);
  const pragma = Buffer.from('0aa16776657273696f6e02', 'hex');
  const v2 = Buffer.alloc(40);
  v2.writeBigUInt64LE(51n, 16);
  v2.writeBigUInt64LE(BigInt(good.length), 24);
  const header = carOf([], [descriptor]);
  return [
    {
      name: 'two roots',
      token: base64(carOf([root, descriptor], [descriptor, root])),
      code: 'malformed',
      ucanto: 'accepts',
    },
    { name: 'no root', token: base64(carOf([root, descriptor], [])), code: 'malformed', ucanto: 'refuses' },
    {
      name: 'a root that is not there',
      token: base64(carOf([root], [descriptor])),
      code: 'malformed',
      ucanto: 'refuses',
    },
    { name: 'a UCAN for a root', token: base64(carOf([root], [root])), code: 'malformed', ucanto: 'refuses' },
    {
      name: 'a block twice',
      token: base64(carOf([root, root, descriptor], [descriptor])),
      code: 'malformed',
      ucanto: 'accepts',
    },
    {
      name: 'two blocks under one CID',
      token: base64(carOf([{ ...root, bytes: other.bytes }, root, descriptor], [descriptor])),
      code: 'malformed',
      ucanto: 'accepts',
    },
    { name: 'a CARv2', token: base64(Buffer.concat([pragma, v2, good])), code: 'malformed', ucanto: 'accepts' },
    { name: 'a block that does not hash to its CID', token: tokenOf(relabelled), code: 'malformed', ucanto: 'accepts' },
    {
      name: 'an identity CID',
      token: base64(carOf([identity, root, descriptor], [descriptor])),
      code: 'unsupported',
      ucanto: 'accepts',
    },
    { name: 'a sha2-512 CID', token: tokenOf(sha512), code: 'unsupported', ucanto: 'accepts' },
    { name: 'a raw CID', token: tokenOf(rawCid), code: 'unsupported', ucanto: 'accepts' },
    { name: 'a block that nothing refers to', token: tokenOf(root, [other]), code: 'malformed', ucanto: 'accepts' },
    {
      name: 'a section length written long',
      token: base64(Buffer.concat([header, longSection, sectionOf(descriptor)])),
      code: 'malformed',
      ucanto: 'accepts',
    },
    {
      name: 'a byte after the last block',
      token: base64(Buffer.concat([good, Buffer.from([0])])),
      code: 'malformed',
      ucanto: 'refuses',
    },
    {
      name: 'junk inside the base64',
      token: `${goodText.slice(0, 40)}\n ~${goodText.slice(40)}`,
      code: 'malformed',
      ucanto: 'accepts',
    },
    {
      name: 'two alphabets in one text',
      token: goodText.replace('/', '_').replace('+', '+'),
      code: 'malformed',
      ucanto: 'accepts',
    },
    { name: 'no text at all', token: '', code: 'malformed', ucanto: 'refuses' },
    {
      name: 'text that is no archive',
      token: base64(createHash('sha512').update('x').digest()),
      code: 'malformed',
      ucanto: 'refuses',
    },
    {
      name: 'a token that is too long',
      token: await token({ fct: [{ long: 'x'.repeat(7000) }] }),
      code: 'too_large',
      ucanto: 'accepts',
    },
    {
      name: 'another version',
      token: await token({}, (own) => ({ ...own, v: '0.10.0' })),
      code: 'unsupported',
      ucanto: 'refuses',
    },
    {
      name: 'a capability with more to it',
      token: await token({ att: [{ ...USE_ORACLE, zz: 1 }] }),
      code: 'malformed',
      ucanto: 'accepts',
    },
  ];
}
