import { hash } from 'node:crypto';
import { CarBufferReader } from '@ipld/car/buffer-reader';
import type { UCANLink } from '@ucanto/interface';
import { Refused } from './refusal.js';

const DIGEST_BYTES = 32;
const DAG_CBOR = 0x71;
const SHA2_256 = 0x12;
/** CIDv1, dag-cbor, sha2-256, 32 bytes: the only kind of CID that links the blocks of a token. */
const CID_PREFIX = Buffer.from('01711220', 'hex');
const CID_BYTES = CID_PREFIX.length + DIGEST_BYTES;
const CID_V0_BYTES = 34;
const VARINT_LIMIT_BYTES = 5;
/** A CARv1 header with one root, `{roots: [cid], version: 1}` in dag-cbor, with its length and up to the root's CID. */
const CAR_START = Buffer.from('3aa265726f6f747381d82a582500', 'hex');
const CAR_HEADER_END = Buffer.from('6776657273696f6e01', 'hex');
const CAR_HEADER_BYTES = CAR_START.length + CID_BYTES + CAR_HEADER_END.length;
/** A complete header without roots: `{roots: [], version: 1}`. */
const NO_ROOTS = Buffer.from('11a265726f6f7473806776657273696f6e01', 'hex');
/** The root block up to the UCAN's CID: `{"ucan@0.9.1": cid}`. */
const DESCRIPTOR_START = Buffer.from('a16a7563616e40302e392e31d82a582500', 'hex');

export interface UcanBlock {
  readonly cid: UCANLink;
  readonly bytes: Uint8Array;
}

interface AnyCid {
  readonly version: number;
  readonly code: number;
  readonly multihash: { readonly code: number; readonly digest: Uint8Array };
}

/** A block to be written. */
export interface NewBlock {
  readonly cid: { readonly bytes: Uint8Array };
  readonly bytes: Uint8Array;
}

export interface UcanArchive {
  /** Key of the token's own UCAN in `blocks`. */
  readonly rootKey: string;
  /** UCAN blocks by the key of their CID (`keyOfCid`), without the descriptor block. */
  readonly blocks: ReadonlyMap<string, UcanBlock>;
}

/** The lookup key of a CID: its digest as latin1 text. Undefined if the CID is not a CIDv1 of dag-cbor with sha2-256. */
export function keyOfCid({ version, code, multihash }: AnyCid): string | undefined {
  const { code: hashCode, digest } = multihash;
  const isAccepted = version === 1 && code === DAG_CBOR && hashCode === SHA2_256 && digest.length === DIGEST_BYTES;
  return isAccepted ? view(digest).toString('latin1') : undefined;
}

/**
 * Reads the CARv1 archive of a token. Blocks in one order have exactly one accepted encoding. Refused: other CAR versions, several or
 * missing roots, duplicate blocks, lengths with padding, trailing bytes, blocks that do not match their CID.
 * @param limitBlocks maximum number of blocks, with the descriptor
 * @throws {Refused}
 */
export function readArchive(archive: Uint8Array, limitBlocks: number): UcanArchive {
  const bytes = view(archive);
  checkHeader(bytes);
  // The header is checked above, byte by byte. The CAR reader gets an empty one, which it parses in half the time.
  const reader = CarBufferReader.fromBytes(Buffer.concat([NO_ROOTS, bytes.subarray(CAR_HEADER_BYTES)]));
  const blocks = new Map<string, UcanBlock>();
  let length = CAR_HEADER_BYTES;
  for (const { cid, bytes: content } of reader.blocks()) {
    const key = keyOfCid(cid);
    if (key === undefined || !isUcanLink(cid)) throw new Refused('unsupported');
    if (blocks.has(key) || hash('sha256', content, 'binary') !== key) throw new Refused('malformed');
    blocks.set(key, { cid, bytes: content });
    if (blocks.size > limitBlocks) throw new Refused('too_complex');
    length += encodeVarint(CID_BYTES + content.length).length + CID_BYTES + content.length;
  }
  if (length !== bytes.length || blocks.size < 2) throw new Refused('malformed');
  const rootEnd = CAR_HEADER_BYTES - CAR_HEADER_END.length;
  const descriptorKey = bytes.toString('latin1', rootEnd - DIGEST_BYTES, rootEnd);
  const rootKey = readDescriptor(blocks.get(descriptorKey));
  blocks.delete(descriptorKey);
  return { rootKey, blocks };
}

/** A block with its CID. */
export function blockOf(bytes: Uint8Array): NewBlock {
  return { cid: { bytes: Buffer.concat([CID_PREFIX, hash('sha256', bytes, 'buffer')]) }, bytes };
}

/** Writes the archive of a UCAN and its proofs in the encoding that `readArchive` accepts. */
export function writeArchive(root: NewBlock, proofs: Iterable<NewBlock>): Buffer {
  const descriptor = blockOf(Buffer.concat([DESCRIPTOR_START, root.cid.bytes]));
  const parts: Uint8Array[] = [CAR_START, descriptor.cid.bytes, CAR_HEADER_END];
  for (const { cid, bytes } of [...proofs, root, descriptor]) {
    parts.push(encodeVarint(CID_BYTES + bytes.length), cid.bytes, bytes);
  }
  return Buffer.concat(parts);
}

function checkHeader(bytes: Buffer): void {
  const end = CAR_HEADER_BYTES - CAR_HEADER_END.length;
  const root = CAR_START.length;
  const ok =
    bytes.length > CAR_HEADER_BYTES &&
    bytes.compare(CAR_START, 0, root, 0, root) === 0 &&
    bytes.compare(CID_PREFIX, 0, CID_PREFIX.length, root, root + CID_PREFIX.length) === 0 &&
    bytes.compare(CAR_HEADER_END, 0, CAR_HEADER_END.length, end, CAR_HEADER_BYTES) === 0;
  if (!ok) throw new Refused('malformed');
}

function isUcanLink(cid: { readonly version: number }): cid is UCANLink {
  return cid.version === 1;
}

function readDescriptor(block: UcanBlock | undefined): string {
  if (block === undefined) throw new Refused('malformed');
  const bytes = view(block.bytes);
  const start = DESCRIPTOR_START.length;
  if (bytes.length !== start + CID_BYTES || bytes.compare(DESCRIPTOR_START, 0, start, 0, start) !== 0) {
    throw new Refused('malformed');
  }
  const digestStart = start + CID_PREFIX.length;
  if (bytes.compare(CID_PREFIX, 0, CID_PREFIX.length, start, digestStart) !== 0) throw new Refused('unsupported');
  return bytes.toString('latin1', digestStart);
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Checks that bytes are a CID in its canonical binary form: a CIDv1 with minimal varints, or the CIDv0 of a sha2-256. Decoders accept
 * other forms and normalise them silently.
 * @throws {Refused} `malformed`
 */
export function checkCid(cid: Uint8Array): void {
  if (cid.length === CID_V0_BYTES && cid[0] === 0x12 && cid[1] === 0x20) return;
  if (cid[0] !== 1) throw new Refused('malformed');
  const codec = readVarint(cid, 1);
  const hashCode = readVarint(cid, codec.end);
  const digestLength = readVarint(cid, hashCode.end);
  if (digestLength.end + digestLength.value !== cid.length) throw new Refused('malformed');
}

/** Unsigned LEB128 of at most five bytes in its shortest form, and the offset after it. */
function readVarint(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let index = 0; index < VARINT_LIMIT_BYTES; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte >= 0x80) continue;
    if (byte === 0 && index > 0) break;
    return { value, end: start + index + 1 };
  }
  throw new Refused('malformed');
}

function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Uint8Array.from([...bytes, rest]);
}
