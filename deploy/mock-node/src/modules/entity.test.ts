import { status } from '@grpc/grpc-js';
import { PageRequest } from '@mlango/proto/cosmos/base/query/v1beta1/pagination';
import { QueryService as EntityService } from '@mlango/proto/ixo/entity/v1beta1/query';
import { QueryService as IidService } from '@mlango/proto/ixo/iid/v1beta1/query';
import { describe, expect, it } from 'vitest';
import { call, nodeOfFile, reply } from '../../test/call.js';

const id = 'did:ixo:entity:e0001';
const { client } = await nodeOfFile();

describe('ixo.entity.v1beta1.Query', () => {
  it('answers its parameters', async () => {
    const { params } = await reply(client, EntityService.params, {});
    expect(params?.createSequence).toBe('200');
    expect(params?.nftContractAddress).toMatch(/^ixo1/);
  });

  it('returns an entity with its document, and each of them alone', async () => {
    const both = await reply(client, EntityService.entity, { id });
    expect(both.entity).toMatchObject({ id, type: 'oracle' });
    expect(both.iidDocument?.id).toBe(id);
    expect((await reply(client, EntityService.entityMetaData, { id })).entity).toEqual(both.entity);
    expect((await reply(client, EntityService.entityIidDocument, { id })).iidDocument).toEqual(both.iidDocument);
    expect((await reply(client, EntityService.entityVerified, { id })).entity_verified).toBe(
      both.entity?.entity_verified,
    );
  });

  it('lists all entities in the order of their ids', async () => {
    const first = await reply(client, EntityService.entityList, { pagination: undefined });
    expect(first.entities).toHaveLength(100);
    expect(first.pagination?.total).toBe('200');
    const key = first.pagination?.next_key ?? Buffer.alloc(0);
    const second = await reply(client, EntityService.entityList, { pagination: PageRequest.fromPartial({ key }) });
    expect([...first.entities, ...second.entities].map((entity) => entity.id)).toEqual(
      Array.from({ length: 200 }, (_, index) => `did:ixo:entity:e${String(index + 1).padStart(4, '0')}`),
    );
    expect(second.pagination?.next_key).toHaveLength(0);
  });

  it('answers NOT_FOUND for an unknown id and INVALID_ARGUMENT for none', async () => {
    const { entity, entityMetaData, entityIidDocument, entityVerified } = EntityService;
    const ask = async (request: { id: string }) => [
      (await call(client, entity, request)).error,
      (await call(client, entityMetaData, request)).error,
      (await call(client, entityIidDocument, request)).error,
      (await call(client, entityVerified, request)).error,
    ];
    expect((await ask({ id: 'did:ixo:entity:none' })).map((error) => error?.code)).toEqual(
      Array(4).fill(status.NOT_FOUND),
    );
    const empty = await ask({ id: '' });
    expect(empty.map((error) => error?.code)).toEqual(Array(4).fill(status.INVALID_ARGUMENT));
    expect(empty.map((error) => error?.details)).toEqual(Array(4).fill('invalid request'));
  });

  it('answers INTERNAL for a page by key and offset at once', async () => {
    const pagination = PageRequest.fromPartial({ key: Buffer.from('x'), offset: '1' });
    expect((await call(client, EntityService.entityList, { pagination })).error?.code).toBe(status.INTERNAL);
  });
});

describe('ixo.iid.v1beta1.Query', () => {
  it('returns the documents of entities and of people', async () => {
    const { iidDocument } = await reply(client, IidService.iidDocument, { id });
    expect(iidDocument?.id).toBe(id);
    const controller = iidDocument?.controller[0] ?? '';
    const person = await reply(client, IidService.iidDocument, { id: controller });
    expect(person.iidDocument?.verificationMethod[0]?.verificationMaterial?.value).toBe(controller.split(':')[2]);
  });

  it('lists them', async () => {
    const pagination = PageRequest.fromPartial({ limit: '3', count_total: true, reverse: true });
    const page = await reply(client, IidService.iidDocuments, { pagination });
    expect(page.iidDocuments).toHaveLength(3);
    expect(page.pagination?.total).toBe('240');
  });

  it('answers NOT_FOUND for an unknown id and INVALID_ARGUMENT for none', async () => {
    expect((await call(client, IidService.iidDocument, { id: 'did:x:none' })).error?.code).toBe(status.NOT_FOUND);
    expect((await call(client, IidService.iidDocument, { id: '' })).error?.code).toBe(status.INVALID_ARGUMENT);
  });
});
