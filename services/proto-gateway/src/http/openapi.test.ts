import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gatewayOnNode } from '../../test/support/gateway-on-node.js';

describe('the OpenAPI description', () => {
  const gateway = gatewayOnNode();
  const ask = (headers: Record<string, string> = {}) => gateway.get('/openapi.json', headers);

  it('is sent as br or gzip, a tenth of its size', async () => {
    const plain = await ask();
    expect(plain.headers.vary).toBe('accept-encoding');
    const [br, gzip] = [await ask({ 'accept-encoding': 'br' }), await ask({ 'accept-encoding': 'gzip' })];
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
  });

  it('is 304 for a client that has it', async () => {
    const { headers } = await ask();
    expect(headers['cache-control']).toBe('no-cache');
    const known = { 'if-none-match': String(headers.etag), 'accept-encoding': 'br' };
    const again = await ask(known);
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect((await ask({ 'if-none-match': 'W/"of-another"' })).statusCode).toBe(200);
  });

  it('varies by origin with approved origins', () =>
    gateway.withApp({ corsOrigins: ['https://app.example'] }, async (app) => {
      const { headers } = await app.inject({ url: '/openapi.json', headers: { origin: 'https://app.example' } });
      expect(headers['access-control-allow-origin']).toBe('https://app.example');
      expect(headers.vary).toBe('Origin, accept-encoding');
    }));
});
