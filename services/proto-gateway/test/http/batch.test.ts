import { gatewayBatchReply } from '@mlango/schemas/proto-gateway';
import { describe, expect, it } from 'vitest';
import { expectError, gatewayOnNode } from '../support/gateway-on-node.js';

const gateway = gatewayOnNode();
const HEIGHT = 'x-cosmos-block-height';

function post(payload: object, headers: Record<string, string> = {}) {
  return gateway.app().inject({ method: 'POST', url: '/proto/batch', headers, payload });
}

describe('a batch', () => {
  it('answers every path like a single request, in order', async () => {
    const paths = [
      '/proto/token/params',
      '/proto/claims/claims?pagination.limit=2&fields=claims.claim_id',
      '/proto/claims/claim/nope',
      '/proto/nowhere',
      '/proto/claims/claims?pagination.limit=many',
      '/ixo/entity/did:ixo:entity:e0001?json=camel',
      '/proto/claims/claims?pagination.limit=60',
    ];
    const { height } = gatewayBatchReply.parse((await post({ paths })).json());
    const { replies } = gatewayBatchReply.parse((await post({ paths, height: height ?? '' })).json());
    expect(replies.map((reply) => [reply.path, reply.status])).toEqual(
      paths.map((path, index) => [path, [200, 200, 404, 404, 400, 200, 200][index]]),
    );
    for (const [index, path] of paths.entries()) {
      const alone = await gateway.get(path, { [HEIGHT]: height ?? '' });
      expect(replies[index]?.body).toEqual(alone.json());
    }
  });

  it('is at the height it is given, in the body or as a header', async () => {
    const paths = ['/proto/token/params'];
    for (const reply of [await post({ paths, height: '7' }), await post({ paths }, { [HEIGHT]: '7' })]) {
      expect(reply.json()).toMatchObject({ height: '7', replies: [{ status: 200 }] });
    }
  });

  it('is at one height without leading zeros if 0 is requested', async () => {
    const paths = Array<string>(20).fill('/proto/token/params');
    for (const reply of [await post({ paths, height: '0' }), await post({ paths }, { [HEIGHT]: '00' })]) {
      const { height, replies } = gatewayBatchReply.parse(reply.json());
      expect(Number(height)).toBeGreaterThan(15_000_000);
      expect(replies.map(({ status }) => status)).toEqual(paths.map(() => 200));
    }
    expect((await post({ paths, height: '007' })).json().height).toBe('7');
  });

  it('is at the height of the first path that names one, in any order of answers', async () => {
    const claims = '/proto/claims/claims?pagination.limit=60&height=15000000';
    const paths = ['/proto/token/params', '/proto/nowhere?height=9', claims, '/proto/token/params?height=15000001'];
    const { height, replies } = gatewayBatchReply.parse((await post({ paths })).json());
    expect([height, replies.map(({ status }) => status)]).toEqual(['15000000', [200, 404, 200, 400]]);
    const input = gatewayBatchReply.parse((await post({ paths, height: '15000001' })).json());
    expect([input.height, input.replies.map(({ status }) => status)]).toEqual(['15000001', [200, 404, 400, 200]]);
  });

  it('is refused as a whole with a header that is no height', async () => {
    const paths = ['/proto/token/params'];
    expect(expectError(await post({ paths }, { [HEIGHT]: 'seven' }), 400, 3)).toBe(`${HEIGHT} must be a block height`);
  });

  it.each<[string, object, string]>([
    ['no paths', { paths: [] }, 'body.paths: must be 1 to 50 paths'],
    ['51 paths', { paths: Array(51).fill('/proto/token/params') }, 'body.paths: must be 1 to 50 paths'],
    ['one path', { paths: '/proto/token/params' }, 'body.paths: must be 1 to 50 paths'],
    ['nothing', {}, 'body.paths: must be 1 to 50 paths'],
    ['a list', [], 'body: must be an object with paths'],
    [
      'a path without its slash',
      { paths: ['proto/token/params'] },
      'body.paths.0: must be a path with its query, as in a GET request',
    ],
    ['a path too long', { paths: [`/${'x'.repeat(4096)}`] }, 'body.paths.0: must have at most 4096 characters'],
    [
      'a height that is none',
      { paths: ['/proto/token/params'], height: '-1' },
      'body.height: must be a block height, in digits',
    ],
    [
      'a height as a number',
      { paths: ['/proto/token/params'], height: 7 },
      'body.height: must be a block height, in digits',
    ],
  ])('is refused with %s, in plain words', async (_, payload, message) => {
    expect(expectError(await post(payload), 400, 3)).toBe(message);
  });

  it('is in the OpenAPI document, and accepts POST only', async () => {
    const document = (await gateway.get('/openapi.json')).json() as { paths: Record<string, unknown> };
    expect(document.paths).toHaveProperty(['/proto/batch', 'post']);
    expectError(await gateway.get('/proto/batch'), 501, 12);
  });
});
