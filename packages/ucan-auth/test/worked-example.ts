import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

// A token built with only SHA-256, Ed25519 and base64, in the steps of the guide for client authors.

const SEED = 'a1'.repeat(32);
const AUDIENCE = 'did:ixo:entity:0f3c8b7e';
const CAPABILITY = { can: '*', with: 'ixo:oracle' };
const EXPIRES_AT = 1_800_000_300;
const NONCE = 'guide';

export const EXAMPLE = { seed: SEED, audience: AUDIENCE, capability: CAPABILITY, expiresAt: EXPIRES_AT, nonce: NONCE };

/** Result of each step, by its name in the guide. */
export function workedExample(): Readonly<Record<string, string>> {
  const key = createPrivateKey({
    key: Buffer.concat([hex('302e020100300506032b657004220420'), hex(SEED)]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const issuer = Buffer.concat([hex('ed01'), publicKey]);
  const did = `did:key:z${base58(issuer)}`;

  const header = '{"alg":"EdDSA","typ":"JWT","ucv":"0.9.1"}';
  const att = `[{"can":"${CAPABILITY.can}","with":"${CAPABILITY.with}"}]`;
  const payload = `{"att":${att},"aud":"${AUDIENCE}","exp":${EXPIRES_AT},"iss":"${did}","nnc":"${NONCE}","prf":[]}`;
  const signed = `${base64url(header)}.${base64url(payload)}`;
  const signature = sign(null, Buffer.from(signed), key);

  const fields: readonly (readonly [string, Buffer])[] = [
    ['s', cborBytes(Buffer.concat([hex('eda10340'), signature]))],
    ['v', cborText('0.9.1')],
    [
      'att',
      Buffer.concat([
        hex('81a2'),
        cborText('can'),
        cborText(CAPABILITY.can),
        cborText('with'),
        cborText(CAPABILITY.with),
      ]),
    ],
    ['aud', cborBytes(Buffer.concat([hex('9d1a'), Buffer.from(AUDIENCE.slice('did:'.length))]))],
    ['exp', Buffer.concat([hex('1a'), uint32(EXPIRES_AT)])],
    ['iss', cborBytes(issuer)],
    ['nnc', cborText(NONCE)],
    ['prf', hex('80')],
  ];
  const lines = fields.map(([name, value]) => [cborText(name), value] as const);
  const ucan = Buffer.concat([Buffer.from([0xa0 + fields.length]), ...lines.flat()]);
  const cid = cidOf(ucan);

  const descriptor = Buffer.concat([hex('a1'), cborText('ucan@0.9.1'), hex('d82a582500'), cid]);
  const descriptorCid = cidOf(descriptor);
  const head = Buffer.concat([
    hex('a2'),
    cborText('roots'),
    hex('81d82a582500'),
    descriptorCid,
    cborText('version'),
    hex('01'),
  ]);
  const archive = Buffer.concat([varint(head.length), head, section(cid, ucan), section(descriptorCid, descriptor)]);

  return {
    key: `seed        ${SEED}\npublic key  ${publicKey.toString('hex')}\nDID         ${did}`,
    json: `${header}\n${payload}`,
    signed,
    signature: signature.toString('hex'),
    ucan: [
      `${(0xa0 + fields.length).toString(16)}`,
      ...lines.map(([name, value]) => `${name.toString('hex')}  ${value.toString('hex')}`),
    ].join('\n'),
    cid: `${cid.toString('hex')}\nb${base32(cid)}`,
    descriptor: `${descriptor.toString('hex')}\n${descriptorCid.toString('hex')}`,
    archive: [
      varint(head.length).toString('hex') + head.toString('hex'),
      ...[section(cid, ucan), section(descriptorCid, descriptor)].map((bytes) => bytes.toString('hex')),
    ].join('\n'),
    token: archive.toString('base64'),
  };
}

/** CIDv1, dag-cbor, sha2-256, 32 bytes. */
function cidOf(block: Buffer): Buffer {
  return Buffer.concat([hex('01711220'), createHash('sha256').update(block).digest()]);
}

function section(cid: Buffer, block: Buffer): Buffer {
  return Buffer.concat([varint(cid.length + block.length), cid, block]);
}

/** Short texts and byte strings only: the length in the first byte, or in the one after it. */
function cborText(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length >= 24) throw new RangeError('a short text');
  return Buffer.concat([Buffer.from([0x60 + bytes.length]), bytes]);
}

function cborBytes(bytes: Buffer): Buffer {
  const start = bytes.length < 24 ? [0x40 + bytes.length] : [0x58, bytes.length];
  return Buffer.concat([Buffer.from(start), bytes]);
}

function varint(value: number): Buffer {
  return Buffer.from(value < 0x80 ? [value] : [(value & 0x7f) + 0x80, value >> 7]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function base58(bytes: Buffer): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = `${alphabet[Number(number % 58n)]}${text}`;
  return text;
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}
