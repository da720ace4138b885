import { generateKeyPairSync, sign } from 'node:crypto';

// Builds a certificate for a test server, so that tests use real TLS without a key in the repository.

const OID = {
  ecdsaWithSha256: '06082a8648ce3d040302',
  commonName: '0603550403',
  subjectAltName: '0603551d11',
} as const;
const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octets: 0x04,
  text: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;
const DNS_NAME = 0x82;
const VERSION_FIELD = 0xa0;
const EXTENSIONS_FIELD = 0xa3;

/** A key and a certificate for a host name, PEM, good from 2020 to 2120. */
export function selfSigned(hostname: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(TAG.sequence, hex(OID.ecdsaWithSha256));
  const commonName = der(TAG.sequence, hex(OID.commonName), der(TAG.text, Buffer.from(hostname)));
  const name = der(TAG.sequence, der(TAG.set, commonName));
  const validity = der(TAG.sequence, time('20200101000000Z'), time('21200101000000Z'));
  const altName = der(TAG.octets, der(TAG.sequence, der(DNS_NAME, Buffer.from(hostname))));
  const extensions = der(TAG.sequence, der(TAG.sequence, hex(OID.subjectAltName), altName));
  const toSign = der(
    TAG.sequence,
    der(VERSION_FIELD, der(TAG.integer, hex('02'))),
    der(TAG.integer, hex('01')),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS_FIELD, extensions),
  );
  const signature = der(TAG.bitString, hex('00'), sign('sha256', toSign, privateKey));
  const lines =
    der(TAG.sequence, toSign, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

function time(text: string): Buffer {
  return der(TAG.time, Buffer.from(text));
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}
