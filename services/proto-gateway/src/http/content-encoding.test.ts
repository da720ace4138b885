import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gatewayOnNode, headOf } from '../../test/support/gateway-on-node.js';
import { chooseEncoding } from './content-encoding.js';

describe('the encoding of a reply', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['GZIP ; Q=0.8', 'gzip'],
    ['*', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0, br;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=many', undefined],
    ['zstd, deflate', undefined],
  ])('for Accept-Encoding %s is %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding);
  });
});

describe('a reply beyond 1 KiB', () => {
  const gateway = gatewayOnNode();
  const LIST = '/proto/claims/claims?pagination.limit=20';
  const accept = (encoding: string) => ({ 'accept-encoding': encoding });

  it('is sent as br or gzip to clients that accept it, with equal content', async () => {
    const plain = await gateway.get(LIST);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.headers.vary).toContain('accept-encoding');
    const br = await gateway.get(LIST, accept('br'));
    expect([br.headers['content-encoding'], br.headers['content-length']]).toEqual([
      'br',
      String(br.rawPayload.length),
    ]);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    const gzip = await gateway.get(LIST, accept('gzip'));
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(gzip.headers.vary).toContain('accept-encoding');
  });

  it('has the same headers and no body for HEAD', async () => {
    const get = await gateway.get(LIST, accept('gzip'));
    const head = await headOf(gateway.app(), LIST, accept('gzip'));
    expect(head.body).toBe('');
    expect(head.headers['content-encoding']).toBe('gzip');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('has equal content from the cache', () =>
    gateway.withApp({ cache: { ttlMs: 60_000, limitBytes: 10_000_000 } }, async (app) => {
      const plain = await gateway.get(LIST);
      const read = { identity: String, br: brotliDecompressSync, gzip: gunzipSync };
      for (const [encoding, decode] of Object.entries(read)) {
        for (let count = 0; count < 3; count += 1) {
          const reply = await app.inject({ url: LIST, headers: accept(encoding) });
          expect(String(decode(reply.rawPayload))).toBe(plain.body);
          expect(reply.headers['content-encoding'] ?? 'identity').toBe(encoding);
          expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length));
          expect(reply.headers.vary).toBe('x-cosmos-block-height, x-min-block-height, accept-encoding');
        }
      }
      const head = await headOf(app, LIST);
      expect([head.body, head.headers['content-length']]).toEqual(['', plain.headers['content-length']]);
    }));

  it('is not compressed if it is shorter', async () => {
    const reply = await gateway.get('/proto/token/params', accept('gzip, br'));
    expect(reply.headers).not.toHaveProperty('content-encoding');
    expect(reply.json()).toHaveProperty('params');
  });

  it('links to the next page until there is none', async () => {
    const first = await gateway.get('/proto/claims/claims?pagination.limit=600&fields=claims.claim_id');
    const link = /^<([^>]+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
    const second = await gateway.get(link);
    const ids = [first, second].flatMap((reply) => (reply.json() as { claims: { claim_id: string }[] }).claims);
    expect(new Set(ids.map((claim) => claim.claim_id)).size).toBe(1000);
    expect(second.headers).not.toHaveProperty('link');
  });

  it('links to the next page and to the successor of a legacy path', async () => {
    const reply = await gateway.get('/ixo/claims/claims?pagination.limit=1');
    expect(reply.headers.link).toMatch(
      /^<\/ixo\/claims\/claims\?pagination\.limit=1&pagination\.key=[^>]+>; rel="next", <\/proto\/claims\/claims>; rel="successor-version"$/,
    );
  });
});
