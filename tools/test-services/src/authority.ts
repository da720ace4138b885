import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate and its key, as PEM texts. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  readonly cert: string;
  issue(name: string, options?: { readonly expired?: boolean }): Identity;
}

const DAY_MS = 86_400_000;
const TAG = {
  boolean: 1,
  integer: 2,
  bits: 3,
  bytes: 4,
  oid: 6,
  text: 12,
  time: 24,
  sequence: 0x30,
  set: 0x31,
} as const;
/** Encoded object identifiers. */
const OID = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
} as const;

/** A new certificate authority, which no other process trusts. */
export function makeAuthority(): Authority {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = `Test authority ${randomBytes(4).toString('hex')}`;
  const isAuthority = extension(OID.basicConstraints, der(TAG.sequence, der(TAG.boolean, Buffer.of(0xff))));
  const cert = makeCertificate(name, name, pair.publicKey, pair.privateKey, [isAuthority], DAY_MS);
  return {
    cert,
    issue(host, { expired = false } = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const names = extension(OID.subjectAltName, der(TAG.sequence, altName(host)));
      const endsInMs = expired ? -DAY_MS / 2 : DAY_MS;
      return {
        cert: makeCertificate(host, name, publicKey, pair.privateKey, [names], endsInMs),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

/** A certificate of X.509, version 3. Source: RFC 5280. */
function makeCertificate(
  subject: string,
  issuer: string,
  publicKey: KeyObject,
  issuerKey: KeyObject,
  extensions: readonly Buffer[],
  endsInMs: number,
): string {
  const algorithm = der(TAG.sequence, oid(OID.ecdsaWithSha256));
  const body = der(
    TAG.sequence,
    der(0xa0, der(TAG.integer, Buffer.of(2))),
    der(TAG.integer, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    distinguishedName(issuer),
    der(TAG.sequence, time(Date.now() - DAY_MS), time(Date.now() + endsInMs)),
    distinguishedName(subject),
    createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({ type: 'spki', format: 'der' }),
    der(0xa3, der(TAG.sequence, ...extensions)),
  );
  const signature = der(TAG.bits, Buffer.of(0), sign('sha256', body, issuerKey));
  const base64 = der(TAG.sequence, body, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})/g, '$1\n').trim()}\n-----END CERTIFICATE-----\n`;
}

function altName(host: string): Buffer {
  const parts = host.split('.');
  return /^[0-9.]+$/.test(host) ? der(0x87, Buffer.from(parts.map(Number))) : der(0x82, Buffer.from(host));
}

function extension(id: string, value: Buffer): Buffer {
  return der(TAG.sequence, oid(id), der(TAG.bytes, value));
}

function distinguishedName(name: string): Buffer {
  return der(TAG.sequence, der(TAG.set, der(TAG.sequence, oid(OID.commonName), der(TAG.text, Buffer.from(name)))));
}

function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]/g, '').replace(/\..*/, 'Z');
  return der(TAG.time, Buffer.from(text));
}

function oid(hex: string): Buffer {
  return der(TAG.oid, Buffer.from(hex, 'hex'));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), value]);
}
