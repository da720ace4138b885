import { status } from '@grpc/grpc-js';
import { PageRequest } from '@mlango/proto/cosmos/base/query/v1beta1/pagination';
import { QueryService } from '@mlango/proto/ixo/token/v1beta1/query';
import { expect, it } from 'vitest';
import { call, nodeOfFile, reply } from '../../test/call.js';
import { labelFunctions } from '../fixtures/labels.js';

const minterAddress = (number: number) => labelFunctions['address']?.(`minter ${number}`) ?? '';
const tokenId = 'f36afe45ee8846ba217f549601db143e';
const { client } = await nodeOfFile();

it('answers its parameters', async () => {
  expect((await reply(client, QueryService.params, {})).params).toEqual({ ixo1155_contract_code: '25' });
});

it('lists the contracts of a minter page by page, and none of an unknown one', async () => {
  const minter = minterAddress(1);
  const page = await reply(client, QueryService.tokenList, {
    minter,
    pagination: PageRequest.fromPartial({ limit: '5', count_total: true }),
  });
  expect(page.tokenDocs).toHaveLength(5);
  expect(page.pagination?.total).toBe('12');
  expect(page.tokenDocs.every((token) => token.minter === minter)).toBe(true);
  expect(
    (await reply(client, QueryService.tokenList, { minter: 'ixo1nobody', pagination: undefined })).tokenDocs,
  ).toEqual([]);
});

it('returns one contract of a minter, and not that of another', async () => {
  const { tokenDocs } = await reply(client, QueryService.tokenList, {
    minter: minterAddress(2),
    pagination: undefined,
  });
  const contract_address = tokenDocs[0]?.contract_address ?? '';
  expect((await reply(client, QueryService.tokenDoc, { minter: minterAddress(2), contract_address })).tokenDoc).toEqual(
    tokenDocs[0],
  );
  const other = await call(client, QueryService.tokenDoc, { minter: minterAddress(1), contract_address });
  expect(other.error).toMatchObject({ code: status.UNKNOWN, details: 'codespace token code 1001: token not found' });
});

it('describes a token', async () => {
  const metadata = await reply(client, QueryService.tokenMetadata, { id: tokenId });
  expect(metadata).toMatchObject({ name: 'CARBON-1-1', decimals: '0', index: '1' });
  expect(metadata.properties?.linkedResources).toHaveLength(1);
  const unknown = await call(client, QueryService.tokenMetadata, { id: 'none' });
  expect(unknown.error).toMatchObject({
    code: status.UNKNOWN,
    details: 'codespace token code 1002: token properties not found',
  });
});

it('answers INVALID_ARGUMENT for an empty id', async () => {
  const errors = [
    await call(client, QueryService.tokenMetadata, { id: '' }),
    await call(client, QueryService.tokenList, { minter: '', pagination: undefined }),
    await call(client, QueryService.tokenDoc, { minter: minterAddress(1), contract_address: '' }),
  ];
  expect(errors.map((outcome) => outcome.error?.code)).toEqual(Array(3).fill(status.INVALID_ARGUMENT));
});
