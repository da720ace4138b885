import { createHash } from 'node:crypto';
import { CBOR, createLegacyLink, createLink, Signature, UCAN } from '@ucanto/core';
import type * as API from '@ucanto/interface';
import { type DecodedUcan, decodeToken } from '../src/decode/decode-token.js';
import { signerFromSeed, type UcanSigner } from '../src/mint/minting.js';

// Builds tokens that no minting function would: piece by piece, each piece open to tampering.

export const NOW = 1_800_000_000;
export const ORACLE = 'did:ixo:entity:0f3c8b7e';
export const alice = signerFromSeed('a1'.repeat(32));
export const bob = signerFromSeed('b0'.repeat(32));
export const carol = signerFromSeed('c4'.repeat(32));
export const mallory = signerFromSeed('66'.repeat(32));

export interface Block {
  readonly cid: API.UCANLink;
  readonly bytes: Uint8Array;
}

/** The fields of a UCAN as encoded in its block. */
export type Fields = Record<string, unknown>;

export interface UcanParts {
  readonly signer?: UcanSigner;
  readonly audience?: string;
  readonly att?: readonly object[];
  readonly exp?: number | null;
  readonly nbf?: number;
  readonly nnc?: string;
  readonly fct?: readonly object[];
  readonly prf?: readonly Block[];
}

export const USE_ORACLE = { can: '*', with: 'ixo:oracle' };

/** Signs a UCAN as ucanto would and gives its fields, to be changed after signing. */
export async function signedFields(parts: UcanParts): Promise<Fields> {
  const { signer = alice, audience = ORACLE, att = [USE_ORACLE], exp = NOW + 300 } = parts;
  const view = await UCAN.issue({
    issuer: {
      did: () => didText(signer.did),
      signatureCode: Signature.EdDSA,
      signatureAlgorithm: 'EdDSA',
      sign: (payload: Uint8Array) => Signature.create(Signature.EdDSA, signer.sign(payload)),
    },
    audience: { did: () => didText(audience) },
    capabilities: att as API.Capabilities,
    expiration: exp ?? Number.POSITIVE_INFINITY,
    proofs: (parts.prf ?? []).map((proof) => proof.cid),
    facts: (parts.fct ?? []) as API.Fact[],
    ...(parts.nbf === undefined ? {} : { notBefore: parts.nbf }),
    ...(parts.nnc === undefined ? {} : { nonce: parts.nnc }),
  });
  return CBOR.decode(UCAN.encode(view) as API.ByteView<Fields>);
}

/** A block of given bytes under the CID they have. */
export function blockOf(bytes: Uint8Array): Block {
  return { cid: cidOf(bytes), bytes };
}

/** A signed UCAN as a block. `tamper` may change its fields after signing. */
export async function ucanBlock(
  parts: UcanParts,
  tamper: (fields: Fields) => Fields = (fields) => fields,
): Promise<Block> {
  return blockOf(CBOR.encode(tamper(await signedFields(parts))));
}

/** The CID under which `bytes` belong. */
export function cidOf(bytes: Uint8Array, { codec = 0x71, hash = 0x12 } = {}): API.UCANLink {
  const sum =
    hash === 0
      ? bytes
      : createHash(hash === 0x13 ? 'sha512' : 'sha256')
          .update(bytes)
          .digest();
  return createLink(codec, digestOf(hash, sum)) as unknown as API.UCANLink;
}

/** The CIDv0 of the same digest. */
export function cidV0Of(cidV1: Uint8Array): API.UCANLink {
  return createLegacyLink(digestOf(0x12, cidV1.subarray(4))) as unknown as API.UCANLink;
}

function digestOf(code: number, bytes: Uint8Array) {
  const size = bytes.length;
  const whole = Uint8Array.from([code, size, ...bytes]);
  return { code, size, digest: Uint8Array.from(bytes), bytes: whole };
}

export function descriptorOf(root: Block): Block {
  return blockOf(CBOR.encode({ 'ucan@0.9.1': root.cid }));
}

/** A CARv1 of the given blocks, in that order, with the given roots. */
export function carOf(blocks: readonly Block[], roots: readonly { readonly cid: unknown }[]): Uint8Array {
  const header = CBOR.encode({ roots: roots.map((root) => root.cid), version: 1 });
  return Buffer.concat([varint(header.length), header, ...blocks.map(sectionOf)]);
}

export function sectionOf({ cid, bytes }: Block): Uint8Array {
  return Buffer.concat([varint(cid.bytes.length + bytes.length), cid.bytes, bytes]);
}

export function varint(value: number, padding = 0): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  bytes.push(rest);
  for (let index = 0; index < padding; index++) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) + 0x80;
    bytes.push(0);
  }
  return Uint8Array.from(bytes);
}

/** A token of a root UCAN and other blocks, in standard base64. */
export function tokenOf(root: Block, others: readonly Block[] = []): string {
  const descriptor = descriptorOf(root);
  return base64(carOf([...others, root, descriptor], [descriptor]));
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export async function token(parts: UcanParts, tamper?: (fields: Fields) => Fields): Promise<string> {
  return tokenOf(await ucanBlock(parts, tamper), parts.prf ?? []);
}

/** The own UCAN of a well-formed token. */
export function rootOf(text: string): DecodedUcan {
  const decoding = decodeToken(text);
  if (!decoding.ok) throw new Error(decoding.code);
  return decoding.token.root;
}

function didText(did: string): API.DID {
  return did as API.DID;
}
