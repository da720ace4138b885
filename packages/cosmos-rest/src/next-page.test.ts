import { create, fromJson, toBinary } from '@bufbuild/protobuf';
import { builtInRegistry, messageOf } from '@mlango/test-services/descriptors';
import { describe, expect, it } from 'vitest';
import { nextPageQuery } from './next-page.js';

const registry = builtInRegistry();
const input = messageOf(registry, 'ixo.claims.v1beta1.QueryClaimListRequest');
const output = messageOf(registry, 'ixo.claims.v1beta1.QueryClaimListResponse');
const reply = toBinary(output, fromJson(output, { claims: [{ claimId: 'a' }], pagination: { nextKey: '+/8=' } }));

describe('the query of the next page', () => {
  const turn = nextPageQuery(input, output);

  it.each([
    ['', 'pagination.key=%2B%2F8%3D'],
    ['pagination.limit=5&fields=claims', 'pagination.limit=5&fields=claims&pagination.key=%2B%2F8%3D'],
    ['pagination.key=AA%3D%3D&pagination.limit=5', 'pagination.limit=5&pagination.key=%2B%2F8%3D'],
    ['pagination.offset=10&pagination.reverse=true', 'pagination.reverse=true&pagination.key=%2B%2F8%3D'],
    ['pagination%2Eoffset=10&&x', 'x&pagination.key=%2B%2F8%3D'],
  ])('after %s is %s', (query, next) => {
    expect(turn?.(query, reply)).toBe(next);
  });

  it('is none after the last page', () => {
    expect(turn?.('', toBinary(output, create(output)))).toBeUndefined();
    expect(turn?.('', toBinary(output, fromJson(output, { pagination: { total: '3' } })))).toBeUndefined();
  });

  it('is none for a method without pages', () => {
    const params = messageOf(registry, 'ixo.token.v1beta1.QueryParamsRequest');
    expect(nextPageQuery(params, messageOf(registry, 'ixo.token.v1beta1.QueryParamsResponse'))).toBeUndefined();
  });
});
