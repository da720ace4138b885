import { hash } from 'node:crypto';
import { CarBufferReader } from '@ipld/car/buffer-reader';
import type { UCANLink } from '@ucanto/interface';
import type { TokenLimits } from './limits.js';
import { Refused } from './refusal.js';
import { varint } from './varint.js';

const DIGEST_BYTES = 32;
const DAG_CBOR = 0x71;
const SHA2_256 = 0x12;
/** CIDv1, dag-cbor, sha2-256, 32 bytes: the only kind of content identifier in a token. */
const CID_PREFIX = Buffer.from('01711220', 'hex');
const CID_BYTES = CID_PREFIX.length + DIGEST_BYTES;
/** A CARv1 header of one root up to the root's CID, as dag-cbor writes it, after its length: {roots: [cid], version: 1}. */
const CAR_START = Buffer.from('3aa265726f6f747381d82a582500', 'hex');
const CAR_HEADER_END = Buffer.from('6776657273696f6e01', 'hex');
const CAR_HEADER_BYTES = CAR_START.length + CID_BYTES + CAR_HEADER_END.length;
/** A whole header that names no root: {roots: [], version: 1}. */
const NO_ROOTS = Buffer.from('11a265726f6f7473806776657273696f6e01', 'hex');
/** The root block up to the UCAN's CID: {"ucan@0.9.1": cid}. */
const DESCRIPTOR_START = Buffer.from('a16a7563616e40302e392e31d82a582500', 'hex');

export interface UcanBlock {
  readonly cid: UCANLink;
  readonly bytes: Uint8Array;
}

/** What makes a CID what it is. */
interface AnyCid {
  readonly version: number;
  readonly code: number;
  readonly multihash: { readonly code: number; readonly digest: Uint8Array };
}

/** A block as it is written. */
export interface NewBlock {
  readonly cid: { readonly bytes: Uint8Array };
  readonly bytes: Uint8Array;
}

export interface UcanArchive {
  /** Key of the token's own UCAN. */
  readonly rootKey: string;
  /** The UCANs by the key of their CID; the descriptor block is not among them. */
  readonly blocks: ReadonlyMap<string, UcanBlock>;
}

/** What a CID is looked up by. Undefined for any CID but the one kind that occurs in tokens. */
export function keyOfCid({ version, code, multihash }: AnyCid): string | undefined {
  const { code: hashCode, digest } = multihash;
  const isOurs = version === 1 && code === DAG_CBOR && hashCode === SHA2_256 && digest.length === DIGEST_BYTES;
  return isOurs ? view(digest).toString('latin1') : undefined;
}

/**
 * Takes a token's archive apart. There is one way to write an archive of given blocks in a given order, and anything else
 * is refused: another CAR version, several or missing roots, blocks twice, lengths written long, bytes left over, and
 * blocks that are not what their CID says.
 */
export function readArchive(archive: Uint8Array, limits: TokenLimits): UcanArchive {
  const bytes = view(archive);
  checkHeader(bytes);
  // Its own header has been read by then, to the last byte; one without a CID is read in half the time.
  const reader = CarBufferReader.fromBytes(Buffer.concat([NO_ROOTS, bytes.subarray(CAR_HEADER_BYTES)]));
  const blocks = new Map<string, UcanBlock>();
  let length = CAR_HEADER_BYTES;
  for (const { cid, bytes: content } of reader.blocks()) {
    const key = keyOfCid(cid);
    if (key === undefined || !isUcanLink(cid)) throw new Refused('unsupported');
    if (blocks.has(key) || hash('sha256', content, 'binary') !== key) throw new Refused('malformed');
    blocks.set(key, { cid, bytes: content });
    if (blocks.size > limits.blocks) throw new Refused('too_complex');
    length += varintLength(CID_BYTES + content.length) + CID_BYTES + content.length;
  }
  if (length !== bytes.length || blocks.size < 2) throw new Refused('malformed');
  const rootEnd = CAR_HEADER_BYTES - CAR_HEADER_END.length;
  const descriptorKey = bytes.toString('latin1', rootEnd - DIGEST_BYTES, rootEnd);
  const rootKey = readDescriptor(blocks.get(descriptorKey));
  blocks.delete(descriptorKey);
  return { rootKey, blocks };
}

/** Bytes under the CID they have. */
export function blockOf(bytes: Uint8Array): NewBlock {
  return { cid: { bytes: Buffer.concat([CID_PREFIX, hash('sha256', bytes, 'buffer')]) }, bytes };
}

/** Writes the archive of a UCAN and the blocks of its proofs, as `readArchive` reads it. */
export function writeArchive(root: NewBlock, proofs: Iterable<NewBlock>): Buffer {
  const descriptor = blockOf(Buffer.concat([DESCRIPTOR_START, root.cid.bytes]));
  const parts: Uint8Array[] = [CAR_START, descriptor.cid.bytes, CAR_HEADER_END];
  for (const { cid, bytes } of [...proofs, root, descriptor]) {
    parts.push(varint(CID_BYTES + bytes.length), cid.bytes, bytes);
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

function varintLength(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : 3;
}
