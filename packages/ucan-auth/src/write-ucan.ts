import { CBOR } from '@ucanto/core';
import type { Link } from '@ucanto/interface';
import { blockOf, type NewBlock } from './car-blocks.js';
import { bytesOfDid } from './did-bytes.js';
import { signedText } from './signed-text.js';
import type { UcanSigner } from './signer.js';
import { SIGNATURE_START } from './ucan-block.js';
import type { UcanContent } from './ucan-content.js';

/**
 * Signs what a UCAN says and writes it as a block, as `readUcan` reads it: optional fields that say nothing are left out.
 * @throws TypeError when caveats or facts are no data.
 */
export function writeUcan(content: UcanContent, proofs: readonly Link[], signer: UcanSigner): NewBlock {
  const { capabilities, expiresAt, facts, nonce, notBefore } = content;
  const text = signedText(
    content,
    proofs.map((proof) => proof.toString()),
  );
  return blockOf(
    CBOR.encode({
      s: Buffer.concat([SIGNATURE_START, signer.sign(text)]),
      v: '0.9.1',
      att: capabilities,
      aud: bytesOfDid(content.audience),
      exp: Number.isFinite(expiresAt) ? expiresAt : null,
      iss: bytesOfDid(content.issuer),
      prf: proofs,
      ...(facts.length === 0 ? {} : { fct: facts }),
      ...(notBefore === 0 ? {} : { nbf: notBefore }),
      ...(nonce === '' ? {} : { nnc: nonce }),
    }),
  );
}
