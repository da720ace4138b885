import { createPublicKey } from 'node:crypto';
import { Claim } from '@mlango/proto/ixo/claims/v1beta1/claim';
import { Collection } from '@mlango/proto/ixo/claims/v1beta1/collection';
import { Entity } from '@mlango/proto/ixo/entity/v1beta1/entity';
import { IidDocument } from '@mlango/proto/ixo/iid/v1beta1/iid';
import { describe, expect, it } from 'vitest';
import type { Table } from '../table.js';
import { makeChainState } from './chain.js';
import { entityDid } from './identifiers.js';
import { minterAddress } from './tokens/tokens.js';

const state = makeChainState();
const all = <T>(table: Table<T>): T[] =>
  table.page({ key: Buffer.alloc(0), offset: '0', limit: '100000', count_total: false, reverse: false }).items;

describe('the state of the chain', () => {
  it('is the same at every start, to the byte', () => {
    const again = makeChainState();
    const bytes = (from: typeof state) =>
      Buffer.concat([
        ...all(from.entities).map((entity) => Entity.encode(entity).finish()),
        ...all(from.documents).map((document) => IidDocument.encode(document).finish()),
        ...all(from.claims).map((claim) => Claim.encode(claim).finish()),
        ...all(from.collections).map((collection) => Collection.encode(collection).finish()),
      ]);
    expect(bytes(again).equals(bytes(state))).toBe(true);
  });

  it('keeps its well-known ids', () => {
    expect(state.entities.first?.id).toBe('did:ixo:entity:e0001');
    expect(state.claims.first?.claim_id).toBe('bafkreia2cpcyr4fk5tl3swxkmdlbl37z5nwe6bn2ychlhgirzappugeq34');
    expect(state.disputes.first?.subject_id).toBe('bafkreidnbytn736zks6yossbq7ni47hmsslzpu5p63ise7gnz4ojybpudi');
    expect(state.members.of('1').first?.member_address).toBe('ixo10g36puhd08q2v76mpw82rtu079zy0nnw2p633e');
    expect(minterAddress(1)).toBe('ixo1lnlp3peks5p60g2ecl67tthy0rh4dml34vf534');
    expect(state.tokenMetadata.get('f36afe45ee8846ba217f549601db143e')?.metadata.name).toBe('CARBON-1-1');
  });

  it('has 200 entities, each with a document, and 1,000 claims', () => {
    expect(state.entities.size).toBe(200);
    expect(state.claims.size).toBe(1_000);
    for (const entity of all(state.entities)) expect(state.documents.get(entity.id)?.id).toBe(entity.id);
  });

  it('counts in its collections what is there', () => {
    const collections = all(state.collections);
    const sum = (field: 'count' | 'disputes_open' | 'disputes_awarded' | 'disputes_dismissed') =>
      collections.reduce((total, collection) => total + Number(collection[field]), 0);
    expect(sum('count')).toBe(1_000);
    expect(sum('disputes_open') + sum('disputes_awarded') + sum('disputes_dismissed')).toBe(state.disputes.size);
    for (const collection of collections) {
      const claims = all(state.claims).filter((claim) => claim.collection_id === collection.id);
      expect(collection.evaluated).toBe(String(claims.filter((claim) => claim.evaluation).length));
    }
  });

  it('refers only to what exists', () => {
    for (const claim of all(state.claims)) {
      expect(state.collections.get(claim.collection_id)).toBeDefined();
      expect(state.documents.get(claim.agent_did)).toBeDefined();
      if (claim.evaluation) expect(state.entities.get(claim.evaluation.oracle)?.type).toBe('oracle');
    }
    for (const collection of all(state.collections)) {
      const accounts = state.entities.get(collection.entity)?.accounts.map((account) => account.address) ?? [];
      expect(accounts).toContain(collection.payments?.approval?.account);
      expect(state.entities.get(collection.protocol)?.type).toBe('protocol/claim');
    }
    for (const dispute of all(state.disputes)) expect(state.claims.get(dispute.subject_id)?.evaluation).toBeDefined();
  });

  it('shows every form of key and time', () => {
    const methods = state.documents.get(entityDid(1))?.verificationMethod ?? [];
    expect(methods.map((method) => method.verificationMaterial?.$case)).toEqual([
      'publicKeyMultibase',
      'publicKeyBase58',
      'publicKeyHex',
      'blockchainAccountID',
    ]);
    const nanos = all(state.claims).map((claim) => claim.submission_date?.nanos ?? 0);
    for (const unit of [1_000_000, 1_000, 1]) {
      expect(nanos.some((value) => value > 0 && value % unit === 0 && value % (unit * 1_000) !== 0)).toBe(true);
    }
    expect(nanos).toContain(0);
  });

  it('has Ed25519 keys that can be loaded', () => {
    const hex = state.documents.get(entityDid(1))?.verificationMethod[2]?.verificationMaterial?.value ?? '';
    const x = Buffer.from(hex, 'hex').toString('base64url');
    expect(createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }).asymmetricKeyType).toBe(
      'ed25519',
    );
  });

  it('tells what an oracle costs and where it is', () => {
    const document = state.documents.get(entityDid(1));
    const ends = (suffix: string) => (part: { id: string }) => part.id.endsWith(suffix);
    expect(document?.service.find(ends('#api'))?.type).toBe('oracleService');
    expect(document?.service.find(ends('#ws'))?.type).toBe('wsService');
    expect(document?.service.find(ends('#proto'))?.serviceEndpoint).toBe('http://127.0.0.1:3002');
    const fee = document?.linkedResource.find(ends('#fee'))?.serviceEndpoint ?? '';
    expect(JSON.parse(Buffer.from(fee.split(',')[1] ?? '', 'base64').toString())).toMatchObject({ denom: 'uixo' });
  });

  it('says where the services beside it are, and nothing else depends on that', () => {
    const moved = makeChainState({ oracle: 'https://oracle.test', gateway: 'https://chain.test' });
    const served = (made: typeof state, number: number) => made.documents.get(entityDid(number))?.service;
    expect(
      served(moved, 1)
        ?.map(({ serviceEndpoint }) => serviceEndpoint)
        .slice(1),
    ).toEqual(['https://oracle.test', 'wss://oracle.test', 'https://chain.test']);
    expect(served(moved, 9)).toEqual(served(state, 9));
    expect(all(moved.entities)).toEqual(all(state.entities));
  });
});
