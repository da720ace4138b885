import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gatewayOnNode } from '../../test/support/gateway-on-node.js';

describe('the OpenAPI description', () => {
  const gateway = gatewayOnNode();
  const send = (headers: Record<string, string> = {}) => gateway.get('/openapi.json', headers);

  it('is sent as br or gzip, a tenth of its size', async () => {
    const plain = await send();
    expect(plain.headers.vary).toBe('accept-encoding');
    const [br, gzip] = [await send({ 'accept-encoding': 'br' }), await send({ 'accept-encoding': 'gzip' })];
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
  });

  it('is 304 for a client that has it', async () => {
    const { headers } = await send();
    expect(headers['cache-control']).toBe('no-cache');
    const known = { 'if-none-match': String(headers.etag), 'accept-encoding': 'br' };
    const repeated = await send(known);
    expect([repeated.statusCode, repeated.body, repeated.headers.etag]).toEqual([304, '', headers.etag]);
    expect((await send({ 'if-none-match': 'W/"of-another"' })).statusCode).toBe(200);
  });

  it('varies by origin with approved origins', () =>
    gateway.withApp({ corsOrigins: ['https://app.example'] }, async (app) => {
      const { headers } = await app.inject({ url: '/openapi.json', headers: { origin: 'https://app.example' } });
      expect(headers['access-control-allow-origin']).toBe('https://app.example');
      expect(headers.vary).toBe('Origin, accept-encoding');
    }));
});
