import { afterAll, beforeAll, expect, it } from 'vitest';
import { readResource } from '../src/api/chain/read-resource.js';
import { standInHomeserver } from './homeserver.fixture.js';

let home: Awaited<ReturnType<typeof standInHomeserver>>;
beforeAll(async () => {
  home = await standInHomeserver('syt_secret');
});
afterAll(() => home.close());

const read = (serviceEndpoint: string, matrix = { accessToken: '', homeServer: '' }) =>
  readResource(
    {
      id: 'did:x',
      services: [{ id: 'did:x#storage', type: 'Ipfs', serviceEndpoint: `${home.url}/ipfs/` }],
      resources: [{ id: 'did:x#fee', type: 'FeeModel', serviceEndpoint }],
      accounts: {},
    },
    'fee',
    matrix,
  );

it('can be embedded in the document', async () => {
  expect(await read(`data:application/json;base64,${btoa('{"amount":"5"}')}`)).toEqual({ amount: '5' });
});

it('use a service of the entity, without a token for other origins', async () => {
  const matrix = { accessToken: 'syt_secret', homeServer: 'https://elsewhere.example' };
  await expect(read('did:x#storage/bafy', matrix)).rejects.toMatchObject({ statusCode: 401 });
  expect(home.requested.at(-1)).toBe('GET /ipfs/bafy');
});

it("are Matrix media on the user's own homeserver", async () => {
  const matrix = { accessToken: 'syt_secret', homeServer: home.url };
  const media = 'https://other.example/_matrix/media/v3/download/other.example/abc';
  expect(await read(media, matrix)).toEqual({ amount: '5', denom: 'uixo' });
  expect(home.requested.at(-1)).toBe('GET /_matrix/client/v1/media/download/other.example/abc');
});

it('are undefined if a page cannot read them', async () => {
  for (const endpoint of ['ipfs://bafy', 'did:x#nowhere/bafy', '', 'javascript:1'])
    expect(await read(endpoint)).toBe(undefined);
  expect(
    await readResource({ id: '', services: [], resources: [], accounts: {} }, 'fee', {
      accessToken: '',
      homeServer: '',
    }),
  ).toBe(undefined);
});
