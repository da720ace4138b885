import { Refused } from './refusal.js';
import { readVarint } from './varint.js';

const CID_V0_BYTES = 34;

/**
 * Checks that bytes are a content identifier in its one binary form: a CIDv1 with its numbers written short, or the CIDv0 of
 * a sha2-256. Readers fix other forms up in silence.
 */
export function checkCidForm(cid: Uint8Array): void {
  if (cid.length === CID_V0_BYTES && cid[0] === 0x12 && cid[1] === 0x20) return;
  if (cid[0] !== 1) throw new Refused('malformed');
  const codec = readVarint(cid, 1);
  const hashCode = readVarint(cid, codec.end);
  const digestLength = readVarint(cid, hashCode.end);
  if (digestLength.end + digestLength.value !== cid.length) throw new Refused('malformed');
}
