import type { VerificationMethod } from '@mlango/proto/ixo/iid/v1beta1/iid';
import { base58 } from '../encodings.js';
import { multibaseKey, publicKey } from '../identifiers.js';

/** The verification methods of a document: three keys, each in another form, and a chain account. */
export function verificationMethods(did: string, label: string, account: string): VerificationMethod[] {
  const key = (name: string) => publicKey(`${label} ${name}`);
  return [
    multibaseMethod(did, 'signing', key('signing')),
    {
      id: `${did}#backup`,
      type: 'Ed25519VerificationKey2018',
      controller: did,
      verificationMaterial: { $case: 'publicKeyBase58', value: base58(key('backup')) },
    },
    {
      id: `${did}#device`,
      type: 'Ed25519VerificationKey2018',
      controller: did,
      verificationMaterial: { $case: 'publicKeyHex', value: key('device').toString('hex') },
    },
    accountMethod(did, account),
  ];
}

/** A key in multibase under a name. */
export function multibaseMethod(did: string, name: string, key: Buffer): VerificationMethod {
  return {
    id: `${did}#${name}`,
    type: 'Ed25519VerificationKey2020',
    controller: did,
    verificationMaterial: { $case: 'publicKeyMultibase', value: multibaseKey(key) },
  };
}

/** The chain account of a DID. */
export function accountMethod(did: string, account: string): VerificationMethod {
  return {
    id: `${did}#account`,
    type: 'CosmosAccountAddress',
    controller: did,
    verificationMaterial: { $case: 'blockchainAccountID', value: account },
  };
}
