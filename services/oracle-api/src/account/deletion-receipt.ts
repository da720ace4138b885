import type { UcanSigner } from '@mlango/ucan-auth/minting';
import type { KeptRows } from '../plugins/api/own-rows.js';

/** What was deleted of whom, when and by which oracle. */
export interface Deletion {
  readonly id: string;
  readonly did: string;
  readonly oracleDid: string;
  readonly deletedAt: Date;
  /** Rows that are gone, by kind. */
  readonly deleted: Readonly<Record<string, number>>;
  readonly kept: readonly KeptRows[];
}

export interface DeletionReceipt extends Deletion {
  /** The same as a JSON Web Signature (RFC 7515, compact; EdDSA, RFC 8037). `kid` is the did:key of the key of the oracle. */
  readonly jws: string;
}

export function signReceipt(deletion: Deletion, signer: Pick<UcanSigner, 'keyDid' | 'sign'>): DeletionReceipt {
  const header = { alg: 'EdDSA', typ: 'JWT', kid: signer.keyDid };
  const signed = [header, deletion].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = Buffer.from(signer.sign(Buffer.from(signed))).toString('base64url');
  return { ...deletion, jws: `${signed}.${signature}` };
}
